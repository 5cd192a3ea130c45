"""The whole language: the unions of its parts, and what can be asked about a program."""

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias, get_args

from pydantic import Field

from envwright.sandbox.worlds.programs import (
    arithmetic,
    effects,
    lists,
    predicates,
    shapes,
    sources,
    tools,
)
from envwright.sandbox.worlds.programs.contracts import Node, Primitive
from envwright.sandbox.worlds.programs.scopes import visits

Expr: TypeAlias = Annotated[
    sources.Const
    | sources.Argument
    | sources.FieldOf
    | sources.RowAfter
    | sources.KeyOf
    | sources.OfRow
    | sources.AfterOf
    | sources.Variable
    | sources.Element
    | sources.Current
    | sources.EntryOf
    | sources.Clock
    | sources.Ordinal
    | shapes.ObjectOf
    | shapes.ListOf
    | shapes.MappingOf
    | shapes.Merged
    | shapes.Without
    | shapes.Entries
    | shapes.Text
    | shapes.Coalesce
    | shapes.If
    | lists.SortedOf
    | lists.MapOf
    | lists.FilterOf
    | lists.FirstOf
    | lists.ZipOf
    | lists.ConcatOf
    | lists.Length
    | lists.SumOf
    | lists.Updated
    | lists.RowsOf
    | lists.KeysOf
    | arithmetic.Plus
    | arithmetic.Minus
    | arithmetic.Times
    | arithmetic.Negate
    | arithmetic.AbsOf
    | arithmetic.RoundTo
    | predicates.Exists
    | predicates.Compare
    | predicates.In
    | predicates.Contains
    | predicates.Every
    | predicates.And
    | predicates.Or
    | predicates.Not,
    Field(discriminator="op"),
]
"""Any expression, told apart by `op`."""

PRIMITIVES: tuple[type[Primitive], ...] = get_args(get_args(Expr)[0])
"""The classes of all expressions, for searches over programs."""

Effect: TypeAlias = Annotated[
    effects.SetTo
    | effects.Append
    | effects.Extend
    | effects.Add
    | effects.Remove
    | effects.Insert
    | effects.Delete
    | effects.Each
    | effects.When,
    Field(discriminator="op"),
]
"""What a procedure writes, told apart by `op`."""

Program: TypeAlias = Annotated[
    tools.Lookup
    | tools.Find
    | tools.Search
    | tools.Update
    | tools.Create
    | tools.Procedure
    | tools.Constant
    | tools.Recorded,
    Field(discriminator="op"),
]
"""What a tool does, told apart by `op`."""


def expressions(program: Node) -> Iterator[tuple[str, Expr]]:
    """Yield every expression of a program, outer before inner, with the name of its slot."""
    for visit in visits(program):
        if isinstance(visit.node, Primitive):
            expr: Any = visit.node
            yield visit.slot, expr


def tables_read(program: Node) -> frozenset[str]:
    """Return the tables that a program looks into, whether it writes them too or not."""
    parts = [program, *(visit.node for visit in visits(program))]
    readers = tools.TableProgram | sources.OfRow | sources.AfterOf | lists.RowsOf | lists.KeysOf
    return frozenset(part.table for part in parts if isinstance(part, readers))


def tables_written(program: Node) -> frozenset[str]:
    """Return the tables that a program may write."""
    parts = [program, *(visit.node for visit in visits(program))]
    writers = tools.Update | tools.Create | effects.InRow | effects.Insert | effects.Delete
    return frozenset(part.table for part in parts if isinstance(part, writers))


def _resolve() -> None:
    # The parts name the unions that are made of them. They find them in their modules when they are
    # first used: to complete all of them here takes a second in every process.
    for part in (sources, shapes, lists, arithmetic, predicates, effects, tools):
        vars(part).update(Expr=Expr, Effect=Effect)


_resolve()
