"""Procedures: an update that refuses some calls, written as steps and effects."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import TypeAdapter

from envwright.events.canonical import Json
from envwright.sandbox.worlds import (
    AfterOf,
    And,
    Append,
    Assignment,
    Const,
    Exists,
    Expr,
    Guard,
    In,
    Let,
    Not,
    OfRow,
    Procedure,
    Program,
    Require,
    SetTo,
    Update,
    Variable,
)

ROW = "row"
"""The name that a procedure gives to the row that it writes."""

ITEM = "item"
"""The name that phrasing gives to the items of a list that is looked through."""

_EXPR: TypeAdapter[Expr] = TypeAdapter(Expr)


class Refused(NamedTuple):
    """Which calls are refused, and the text."""

    holds: Expr
    error: Expr
    blind: bool = False
    """Whether it is refused before anybody looks for the row: it speaks of arguments alone."""
    over: Expr | None = None
    """The list of whose items `holds` and `error` speak, each called `item`."""


def as_procedure(update: Update, missing: str | Expr, refused: Sequence[Refused]) -> Procedure:
    """Return a procedure that does what an update does, unless a call is refused."""
    row = OfRow(table=update.table, key=update.key)
    steps = [
        *(_refusing(one, update) for one in refused if one.blind),
        Require(holds=Exists(of=row), error=missing),
        Let(name=ROW, value=row),
        *(_guard(guard) for guard in update.guards),
        *(_refusing(one, update) for one in refused if not one.blind),
    ]
    sets = [SetTo(**_place(update, one), value=_named(one.value, update)) for one in update.set]
    appends = [
        Append(**_place(update, one), value=_named(one.value, update)) for one in update.append
    ]
    return Procedure(
        steps=tuple(steps),
        effects=(*sets, *appends),
        returns=_returned(update),
    )


def _refusing(one: Refused, update: Update) -> Require:
    holds, error = Not(of=_named(one.holds, update)), _text(one.error, update)
    if one.over is None:
        return Require(holds=holds, error=error)
    return Require(of=_named(one.over, update), named=ITEM, holds=holds, error=error)


def _place(update: Update, one: Assignment) -> dict[str, Json]:
    return {"table": update.table, "key": update.key, "path": one.path}


def _guard(guard: Guard) -> Require:
    found = Variable(name=ROW, path=guard.path)
    within = In(value=found, of=Const(value=list(guard.within)))
    return Require(holds=And(terms=(Exists(of=found), within)), error=guard.error)


def _returned(update: Update) -> Expr:
    if update.returns.op == "row":
        return AfterOf(table=update.table, key=update.key)
    return _named(update.returns, update)


def _text(expr: Expr, update: Update) -> str | Expr:
    return expr.value if isinstance(expr, Const) else _named(expr, update)


def _named(expr: Expr, update: Update) -> Expr:
    """Return an expression over a table's row as one over the row that the procedure named."""
    return _EXPR.validate_python(_rewritten(expr.model_dump(), update.key.model_dump()))


def _rewritten(value: Json, key: Json) -> Json:
    if isinstance(value, list | tuple):
        return [_rewritten(part, key) for part in value]
    if not isinstance(value, dict) or value.get("op") == "const":
        return value
    if value.get("op") == "field":
        return {"op": "var", "name": ROW, "path": value["path"]}
    if value.get("op") == "key":
        return key
    return {name: _rewritten(part, key) for name, part in value.items()}


def arguments_in(part: Expr | Program) -> set[str]:
    """Return the arguments that an expression or a program depends on."""
    return set(_arguments(part.model_dump()))


def _arguments(value: Json) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from _arguments(part)
    elif isinstance(value, dict) and value.get("op") == "arg":
        yield str(value["path"][0])
    elif isinstance(value, dict) and value.get("op") != "const":
        for part in value.values():
            yield from _arguments(part)
