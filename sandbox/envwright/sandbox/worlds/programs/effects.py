"""Effects: what a procedure writes, to any rows of any tables, one after another.

Every expression in an effect sees the tables as they were before the call; only `current` sees what
the effects before this one left at its place.
"""

from typing import TYPE_CHECKING, Annotated, Literal, Self, TypeAlias

from pydantic import Field, StrictInt, model_validator

from envwright.sandbox.worlds.programs.contracts import (
    ANY,
    BOOLEAN,
    ELEMENT,
    LIST,
    NUMBER,
    OBJECT,
    Name,
    Node,
    Step,
)

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Effect, Expr


class Computed(Node):
    """A step of a path that is computed: the name of a field, or an index."""

    takes = {"expr": ANY}
    expr: "Expr"


PlacePath: TypeAlias = Annotated[tuple[Step | Computed, ...], Field(min_length=1)]
"""Steps from a row to a place inside; some may be computed."""


class InRow(Node):
    """An effect on what is inside a row that exists."""

    takes = {"key": ANY, "path": ANY}
    table: str
    key: "Expr"
    path: PlacePath

    @model_validator(mode="after")
    def _starts_with_a_field(self) -> Self:
        if isinstance(self.path[0], int):
            raise ValueError(f"path starts with {self.path[0]}; a row is an object, name a field")
        return self


class SetTo(InRow):
    """Put a value in place; what is around it must exist, and an index too."""

    takes = {"key": ANY, "path": ANY, "value": ANY}
    offers = {"value": ("current",)}
    op: Literal["set"] = "set"
    value: "Expr"


class Append(InRow):
    """Add a value at the end of a list."""

    takes = {"key": ANY, "path": ANY, "value": ANY}
    op: Literal["append"] = "append"
    value: "Expr"


class Extend(InRow):
    """Add all elements of a list at the end of a list."""

    takes = {"key": ANY, "path": ANY, "values": LIST}
    op: Literal["extend"] = "extend"
    values: "Expr"


class Add(InRow):
    """Add to a number, or to 0 where there is none yet."""

    takes = {"key": ANY, "path": ANY, "value": NUMBER}
    op: Literal["add"] = "add"
    value: "Expr"
    digits: Annotated[StrictInt, Field(ge=0, le=12)] | None = None
    """Digits to round the sum to; none for a sum as it comes."""


class Remove(InRow):
    """Remove a field or an entry of an object, or an element of a list; it must exist."""

    op: Literal["remove"] = "remove"


class Insert(Node):
    """Add a row under a key that is new."""

    takes = {"key": ANY, "row": OBJECT}
    op: Literal["insert"] = "insert"
    table: str
    key: "Expr"
    row: "Expr"


class Delete(Node):
    """Remove a row that exists."""

    takes = {"key": ANY}
    op: Literal["delete"] = "delete"
    table: str
    key: "Expr"


class Each(Node):
    """Effects for each element of a list, in its order."""

    takes = {"of": LIST, "effects": ANY}
    binds = {"effects": (ELEMENT, "named")}
    op: Literal["each"] = "each"
    of: "Expr"
    named: Name | None = None
    """A name for the element, for loops inside this one."""
    effects: Annotated[tuple["Effect", ...], Field(min_length=1)]


class When(Node):
    """Effects if a predicate holds, and others if not."""

    takes = {"holds": BOOLEAN, "then": ANY, "otherwise": ANY}
    op: Literal["when"] = "when"
    holds: "Expr"
    then: Annotated[tuple["Effect", ...], Field(min_length=1)]
    otherwise: tuple["Effect", ...] = ()
