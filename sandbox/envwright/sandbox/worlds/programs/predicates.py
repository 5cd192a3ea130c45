"""Expressions that give true or false."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from envwright.sandbox.worlds.programs.contracts import (
    ANY,
    BOOLEAN,
    ELEMENT,
    LIST,
    TEXT,
    Name,
    Primitive,
)

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Expr


class Exists(Primitive):
    """Whether the row, entry, element or field that an expression asks for is there.

    An argument is never absent: one that was not given is null.
    """

    takes = {"of": ANY}
    gives = "boolean"
    op: Literal["exists"] = "exists"
    of: "Expr"


class Compare(Primitive):
    """Two values compared: any for equality, two numbers or two texts for order."""

    takes = {"left": ANY, "right": ANY}
    gives = "boolean"
    op: Literal["compare"] = "compare"
    left: "Expr"
    sign: Literal["==", "!=", "<", "<=", ">", ">="]
    right: "Expr"


class In(Primitive):
    """Whether a value equals an element of a list."""

    takes = {"value": ANY, "of": LIST}
    gives = "boolean"
    op: Literal["in"] = "in"
    value: "Expr"
    of: "Expr"


class Contains(Primitive):
    """Whether a text has another inside."""

    takes = {"text": TEXT, "part": TEXT}
    gives = "boolean"
    op: Literal["contains"] = "contains"
    text: "Expr"
    part: "Expr"


class Every(Primitive):
    """Whether a predicate holds for each element of a list; none after the first that fails."""

    takes = {"of": LIST, "holds": BOOLEAN}
    binds = {"holds": (ELEMENT, "named")}
    gives = "boolean"
    op: Literal["every"] = "every"
    of: "Expr"
    named: Name | None = None
    """A name for the element, for loops inside this one."""
    holds: "Expr"


class And(Primitive):
    """Whether all hold; none is evaluated after the first that fails."""

    takes = {"terms": BOOLEAN}
    gives = "boolean"
    op: Literal["and"] = "and"
    terms: Annotated[tuple["Expr", ...], Field(min_length=1)]


class Or(Primitive):
    """Whether one holds; none is evaluated after the first that does."""

    takes = {"terms": BOOLEAN}
    gives = "boolean"
    op: Literal["or"] = "or"
    terms: Annotated[tuple["Expr", ...], Field(min_length=1)]


class Not(Primitive):
    """Whether a predicate fails."""

    takes = {"of": BOOLEAN}
    gives = "boolean"
    op: Literal["not"] = "not"
    of: "Expr"
