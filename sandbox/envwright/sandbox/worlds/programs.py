"""The declarative program language of table worlds: one frozen class per primitive.

A tool of a table world is a program over expressions; both are data, so that a world can be read,
compared and proved without running anybody's code. Numbers are compared by value and texts in NFC.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

from pydantic import Field, StrictInt, StrictStr, model_validator

from envwright.events.values import Value

MAX_NESTING = 32
"""How deep expressions may nest: far above any real tool, far below the interpreter's stack."""

Step: TypeAlias = StrictStr | Annotated[StrictInt, Field(ge=0)]
"""One step of a path: text names a field of an object, a whole number indexes a list from 0."""

Path: TypeAlias = Annotated[tuple[Step, ...], Field(min_length=1)]
"""Steps from a row, or from the arguments, to a value inside."""

Need: TypeAlias = Literal["before", "after", "key"]
"""What an expression may need besides the arguments: the row before, the row after, its key."""


class Primitive(Value):
    """An expression: gives one JSON value; a new one is a class here and a function to evaluate it.

    `needs` and `parts` are its contract: a program refuses an expression where what it needs does
    not exist, before any call is made.
    """

    needs: ClassVar[Need | None] = None

    def parts(self) -> "tuple[Expr, ...]":
        """Return the expressions inside this one."""
        return ()


class Const(Primitive):
    """A fixed value."""

    op: Literal["const"] = "const"
    value: Any
    """Any JSON value."""


class Argument(Primitive):
    """A value from the call's arguments; null where it is absent."""

    op: Literal["arg"] = "arg"
    path: Path

    @model_validator(mode="after")
    def _starts_with_a_name(self) -> Self:
        if not isinstance(self.path[0], str):
            raise ValueError(f"path starts with {self.path[0]}; it must start with an argument")
        return self


class FieldOf(Primitive):
    """A value from the row as it was before the call; an error result where it is absent."""

    needs: ClassVar[Need | None] = "before"
    op: Literal["field"] = "field"
    path: Path


class ObjectOf(Primitive):
    """An object with these fields."""

    op: Literal["object"] = "object"
    fields: dict[str, "Expr"]

    def parts(self) -> "tuple[Expr, ...]":
        """Return the fields' expressions."""
        return tuple(self.fields.values())


class ListOf(Primitive):
    """A list of these items."""

    op: Literal["list"] = "list"
    items: tuple["Expr", ...]

    def parts(self) -> "tuple[Expr, ...]":
        """Return the items."""
        return self.items


class SortedOf(Primitive):
    """A list in order: null, false, true, numbers, texts, lists, objects; an error if no list."""

    op: Literal["sorted"] = "sorted"
    of: "Expr"

    def parts(self) -> "tuple[Expr, ...]":
        """Return the list's expression."""
        return (self.of,)


class RowAfter(Primitive):
    """The whole row as it is after the call."""

    needs: ClassVar[Need | None] = "after"
    op: Literal["row"] = "row"


class KeyOf(Primitive):
    """The key of the row, as text."""

    needs: ClassVar[Need | None] = "key"
    op: Literal["key"] = "key"


Expr: TypeAlias = Annotated[
    Const | Argument | FieldOf | ObjectOf | ListOf | SortedOf | RowAfter | KeyOf,
    Field(discriminator="op"),
]
"""Any expression, told apart by `op`."""


class Condition(Value):
    """What a field of the row that `find` looks for must equal; an absent field never matches."""

    path: Path
    equals: Expr


class Guard(Value):
    """What a field must be for an update to happen; an absent field never passes."""

    path: Path
    within: tuple[Any, ...]
    """The values that pass."""
    error: str
    """The error text of a call that does not pass."""


class Assignment(Value):
    """A value and where in the row it goes."""

    path: Path
    value: Expr

    @model_validator(mode="after")
    def _starts_with_a_field(self) -> Self:
        if not isinstance(self.path[0], str):
            raise ValueError(f"path starts with {self.path[0]}; a row is an object, name a field")
        return self


class Slot(NamedTuple):
    """A place for an expression in a program, and what exists when it is evaluated."""

    name: str
    expr: Expr
    offers: frozenset[Need]


class TableProgram(Value, ABC):
    """A program over one table; refuses expressions where what they need does not exist."""

    table: str

    @abstractmethod
    def slots(self) -> tuple[Slot, ...]:
        """Return the program's expressions with what each may use."""

    @model_validator(mode="after")
    def _needs_are_offered(self) -> Self:
        for slot in self.slots():
            for expr, depth in _walk(slot.expr, 1):
                if expr.needs is not None and expr.needs not in slot.offers:
                    raise ValueError(
                        f"`{expr.op}` in `{slot.name}` needs the {_NEED_NAMES[expr.needs]}, which "
                        f"does not exist there; use `arg` or `const`"
                    )
                if depth > MAX_NESTING:
                    raise ValueError(f"`{slot.name}` nests deeper than {MAX_NESTING} expressions")
        return self


class Lookup(TableProgram):
    """Read one row by its key."""

    op: Literal["lookup"] = "lookup"
    key: Expr
    missing: str
    """The error text where no row has the key."""
    returns: Expr

    def slots(self) -> tuple[Slot, ...]:
        """Return the key and the result."""
        return _slot("key", self.key), _slot("returns", self.returns, "before", "after", "key")


class Find(TableProgram):
    """Read the first row, in the order of keys, whose fields match."""

    op: Literal["find"] = "find"
    where: Annotated[tuple[Condition, ...], Field(min_length=1)]
    missing: str
    """The error text where no row matches."""
    returns: Expr

    def slots(self) -> tuple[Slot, ...]:
        """Return the conditions' values and the result."""
        conditions = (_slot(f"where.{i}", c.equals) for i, c in enumerate(self.where))
        return *conditions, _slot("returns", self.returns, "before", "after", "key")


class Update(TableProgram):
    """Change one row: values see the row as it was before; `set` comes first, then `append`."""

    op: Literal["update"] = "update"
    key: Expr
    missing: str
    """The error text where no row has the key."""
    guards: tuple[Guard, ...] = ()
    set: tuple[Assignment, ...] = ()
    """Values to put in place; the parent of each must exist, and an index too."""
    append: tuple[Assignment, ...] = ()
    """Values to add at the end of lists; each list must exist."""
    returns: Expr

    def slots(self) -> tuple[Slot, ...]:
        """Return the key, the written values and the result."""
        sets = (_slot(f"set.{i}", a.value, "before", "key") for i, a in enumerate(self.set))
        appends = (
            _slot(f"append.{i}", a.value, "before", "key") for i, a in enumerate(self.append)
        )
        returns = _slot("returns", self.returns, "before", "after", "key")
        return _slot("key", self.key), *sets, *appends, returns

    @model_validator(mode="after")
    def _writes_something(self) -> Self:
        if not self.set and not self.append:
            raise ValueError("an update needs `set` or `append`; use `lookup` to read a row")
        return self


class Create(TableProgram):
    """Add one row under a new key."""

    op: Literal["create"] = "create"
    key: Expr
    exists: str
    """The error text where a row has the key already."""
    row: Expr
    returns: Expr

    def slots(self) -> tuple[Slot, ...]:
        """Return the key, the row and the result."""
        row, returns = _slot("row", self.row, "key"), _slot("returns", self.returns, "after", "key")
        return _slot("key", self.key), row, returns


class Constant(Value):
    """A tool that always answers the same."""

    op: Literal["constant"] = "constant"
    value: Any
    """Any JSON value."""


Program: TypeAlias = Annotated[
    Lookup | Find | Update | Create | Constant, Field(discriminator="op")
]
"""What a tool does, told apart by `op`."""

_NEED_NAMES: dict[Need, str] = {
    "before": "row before the call",
    "after": "row after the call",
    "key": "key of the row",
}


def _slot(name: str, expr: Expr, *offers: Need) -> Slot:
    return Slot(name, expr, frozenset(offers))


def _walk(expr: Expr, depth: int) -> Iterator[tuple[Expr, int]]:
    yield expr, depth
    for part in expr.parts():
        yield from _walk(part, depth + 1)


def expressions(program: Program) -> Iterator[tuple[str, Expr]]:
    """Yield every expression of a program, outer before inner, with the name of its slot."""
    if isinstance(program, Constant):
        return
    for slot in program.slots():
        for expr, _ in _walk(slot.expr, 1):
            yield slot.name, expr
