"""Expressions over lists and tables: loops, searches, sums and changes of lists of objects."""

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator

from envwright.sandbox.worlds.programs.contracts import (
    ANY,
    BOOLEAN,
    ELEMENT,
    LIST,
    InnerPath,
    Name,
    Node,
    Path,
    Primitive,
)

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Expr


class Condition(Node):
    """What a field of a row that is looked for must equal; an absent field never matches."""

    takes = {"equals": ANY}
    path: Path
    equals: "Expr"


class Assignment(Node):
    """A value and where in an object it goes."""

    takes = {"value": ANY}
    path: Path
    value: "Expr"

    @model_validator(mode="after")
    def _starts_with_a_field(self) -> Self:
        if not isinstance(self.path[0], str):
            raise ValueError(f"path starts with {self.path[0]}; a row is an object, name a field")
        return self


class SortedOf(Primitive):
    """A list in order: null, false, true, numbers, texts, lists, objects; an error if no list."""

    # A list is taken and anything is admitted: worlds of the first format open as they did.
    takes = {"of": ANY}
    gives = "list"
    op: Literal["sorted"] = "sorted"
    of: "Expr"


class MapOf(Primitive):
    """What an expression gives for each element of a list."""

    takes = {"of": LIST, "body": ANY}
    binds = {"body": (ELEMENT, "named")}
    gives = "list"
    op: Literal["map"] = "map"
    of: "Expr"
    named: Name | None = None
    """A name for the element, for loops inside this one."""
    body: "Expr"


class FilterOf(Primitive):
    """The elements of a list for which a predicate holds."""

    takes = {"of": LIST, "holds": BOOLEAN}
    binds = {"holds": (ELEMENT, "named")}
    gives = "list"
    op: Literal["filter"] = "filter"
    of: "Expr"
    named: Name | None = None
    """A name for the element, for loops inside this one."""
    holds: "Expr"


class FirstOf(Primitive):
    """A value from the first element of a list for which a predicate holds."""

    takes = {"of": LIST, "holds": BOOLEAN}
    binds = {"holds": (ELEMENT, "named")}
    op: Literal["first"] = "first"
    of: "Expr"
    named: Name | None = None
    """A name for the element, for loops inside this one."""
    holds: "Expr"
    path: InnerPath = ()
    """Where in the element; nothing for the element itself."""


class ZipOf(Primitive):
    """Lists of one length as one list of objects, with an element of each under its name."""

    takes = {"lists": LIST}
    gives = "list"
    op: Literal["zip"] = "zip"
    lists: Annotated[dict[Name, "Expr"], Field(min_length=1)]


class ConcatOf(Primitive):
    """The elements of the lists in a list, as one list."""

    takes = {"of": LIST}
    gives = "list"
    op: Literal["concat"] = "concat"
    of: "Expr"


class Length(Primitive):
    """How many elements a list has."""

    takes = {"of": LIST}
    gives = "number"
    op: Literal["length"] = "length"
    of: "Expr"


class SumOf(Primitive):
    """The sum of a list of numbers, added from the left to 0, without rounding."""

    takes = {"of": LIST}
    gives = "number"
    op: Literal["sum"] = "sum"
    of: "Expr"


class Updated(Primitive):
    """A list of objects with some of them changed, by a list of orders that say which and how.

    Orders are done one after another: each changes the first element whose key is the wanted one
    at that moment. Values see the order under its name, and as `element` what they change.
    """

    takes = {"of": LIST, "by": LIST, "equals": ANY, "set": ANY}
    binds = {"equals": ("named",), "set": ("named", ELEMENT)}
    gives = "list"
    op: Literal["updated"] = "updated"
    of: "Expr"
    by: "Expr"
    named: Name = "order"
    """The name of the order that is being done."""
    key: Path
    """Where an element has its key."""
    equals: "Expr"
    """The key of the element to change."""
    set: Annotated[tuple[Assignment, ...], Field(min_length=1)]


class RowsOf(Primitive):
    """The rows of a table that match, in the order of their keys, as they were before the call."""

    takes = {"where": ANY}
    gives = "list"
    op: Literal["rows"] = "rows"
    table: str
    where: tuple[Condition, ...] = ()
    """What rows must have; nothing for all rows."""


class KeysOf(Primitive):
    """The keys of the rows of a table that match, in order, as they were before the call."""

    takes = {"where": ANY}
    gives = "list"
    op: Literal["keys"] = "keys"
    table: str
    where: tuple[Condition, ...] = ()
    """What rows must have; nothing for all rows."""
