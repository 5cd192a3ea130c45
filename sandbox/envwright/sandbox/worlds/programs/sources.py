"""Expressions that read: arguments, rows, variables, and the circumstances of the call."""

from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import model_validator

from envwright.sandbox.worlds.programs.contracts import (
    ANY,
    InnerPath,
    Kind,
    Name,
    Path,
    Primitive,
    kind_of,
)

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Expr


class Const(Primitive):
    """A fixed value."""

    op: Literal["const"] = "const"
    value: Any
    """Any JSON value."""

    def kind(self) -> Kind:
        """Return the kind of the value."""
        return kind_of(self.value)


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

    needs = "before"
    op: Literal["field"] = "field"
    path: Path


class RowAfter(Primitive):
    """The whole row as it is after the call."""

    needs = "after"
    gives = "object"
    op: Literal["row"] = "row"


class KeyOf(Primitive):
    """The key of the row, as text."""

    needs = "key"
    gives = "text"
    op: Literal["key"] = "key"


class OfRow(Primitive):
    """A value from a row of any table as it was before the call; its key is computed."""

    takes = {"key": ANY}
    op: Literal["of_row"] = "of_row"
    table: str
    key: "Expr"
    path: InnerPath = ()
    """Where in the row; nothing for the row itself."""


class AfterOf(Primitive):
    """A value from a row of any table as it is after all effects."""

    takes = {"key": ANY}
    needs = "outcome"
    op: Literal["after"] = "after"
    table: str
    key: "Expr"
    path: InnerPath = ()
    """Where in the row; nothing for the row itself."""


class Variable(Primitive):
    """A value that a step, or a loop around this expression, gave a name."""

    op: Literal["var"] = "var"
    name: Name
    path: InnerPath = ()


class Element(Primitive):
    """What the innermost loop is at."""

    op: Literal["element"] = "element"
    path: InnerPath = ()


class Current(Primitive):
    """The value that is at the place of an effect, with the effects before it done."""

    needs = "current"
    op: Literal["current"] = "current"


class EntryOf(Primitive):
    """An entry of an object by name, or of a list by index from 0; the name is computed."""

    takes = {"of": ("object", "list"), "key": ANY}
    op: Literal["entry"] = "entry"
    of: "Expr"
    key: "Expr"
    path: InnerPath = ()
    """Where in the entry; nothing for the entry itself."""


class Clock(Primitive):
    """The world's time as text."""

    gives = "text"
    op: Literal["clock"] = "clock"
    form: Literal["utc", "naive", "date"] = "utc"
    """`2024-05-15T15:00:00Z`, the same without the Z, or `2024-05-15`."""


class Ordinal(Primitive):
    """The next number of a counter: one more than at the last call that took one.

    All ordinals of one counter in one call are one number, and a call that fails takes none.
    """

    needs = "counters"
    gives = "number"
    op: Literal["ordinal"] = "ordinal"
    counter: str
