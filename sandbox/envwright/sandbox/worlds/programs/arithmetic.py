"""Expressions that calculate: whole numbers exactly, all others as Python's floats do.

Nothing is rounded unless `round` says so, since a log may hold 173.82999999999993 beside 173.83.
"""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, StrictInt

from envwright.sandbox.worlds.programs.contracts import NUMBER, Primitive

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Expr


class Plus(Primitive):
    """The sum of some numbers, from the left."""

    takes = {"terms": NUMBER}
    gives = "number"
    op: Literal["plus"] = "plus"
    terms: Annotated[tuple["Expr", ...], Field(min_length=2)]


class Minus(Primitive):
    """A number less another."""

    takes = {"left": NUMBER, "right": NUMBER}
    gives = "number"
    op: Literal["minus"] = "minus"
    left: "Expr"
    right: "Expr"


class Times(Primitive):
    """The product of some numbers, from the left."""

    takes = {"factors": NUMBER}
    gives = "number"
    op: Literal["times"] = "times"
    factors: Annotated[tuple["Expr", ...], Field(min_length=2)]


class Negate(Primitive):
    """A number with the other sign."""

    takes = {"of": NUMBER}
    gives = "number"
    op: Literal["negate"] = "negate"
    of: "Expr"


class AbsOf(Primitive):
    """A number without its sign."""

    takes = {"of": NUMBER}
    gives = "number"
    op: Literal["abs"] = "abs"
    of: "Expr"


class RoundTo(Primitive):
    """A number rounded as Python's `round` does."""

    takes = {"of": NUMBER}
    gives = "number"
    op: Literal["round"] = "round"
    of: "Expr"
    digits: Annotated[StrictInt, Field(ge=0, le=12)] = 2
    """Digits behind the point."""
