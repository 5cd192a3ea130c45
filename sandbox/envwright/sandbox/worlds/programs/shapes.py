"""Expressions that build objects and texts, or choose between others."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from envwright.sandbox.worlds.programs.contracts import (
    ANY,
    BOOLEAN,
    ELEMENT,
    LIST,
    OBJECT,
    Name,
    Primitive,
)

if TYPE_CHECKING:
    from envwright.sandbox.worlds.programs.language import Expr


class ObjectOf(Primitive):
    """An object with these fields."""

    takes = {"fields": ANY}
    gives = "object"
    op: Literal["object"] = "object"
    fields: dict[str, "Expr"]


class ListOf(Primitive):
    """A list of these items."""

    takes = {"items": ANY}
    gives = "list"
    op: Literal["list"] = "list"
    items: tuple["Expr", ...]


class MappingOf(Primitive):
    """An object with an entry for each element of a list; of equal names the last one counts."""

    takes = {"of": LIST, "name": ("text", "number"), "value": ANY}
    binds = {"name": (ELEMENT, "named"), "value": (ELEMENT, "named")}
    gives = "object"
    op: Literal["mapping"] = "mapping"
    of: "Expr"
    named: Name | None = None
    """A name for the element, for loops inside this one."""
    name: "Expr"
    value: "Expr"


class Merged(Primitive):
    """An object with the fields of several; of equal names the last one counts."""

    takes = {"objects": OBJECT}
    gives = "object"
    op: Literal["merged"] = "merged"
    objects: Annotated[tuple["Expr", ...], Field(min_length=1)]


class Without(Primitive):
    """An object without some of its fields, whether they are there or not."""

    takes = {"of": OBJECT}
    gives = "object"
    op: Literal["without"] = "without"
    of: "Expr"
    fields: Annotated[tuple[str, ...], Field(min_length=1)]


class Entries(Primitive):
    """The entries of an object as a list of `{"key", "value"}`, in the order of keys."""

    takes = {"of": OBJECT}
    gives = "list"
    op: Literal["entries"] = "entries"
    of: "Expr"


class Text(Primitive):
    """Texts and numbers joined to one text; numbers in canonical form (25.0 is `25`)."""

    takes = {"items": ("text", "number")}
    gives = "text"
    op: Literal["text"] = "text"
    items: Annotated[tuple["Expr", ...], Field(min_length=1)]


class Coalesce(Primitive):
    """The first of these that is there and not null; else null."""

    takes = {"options": ANY}
    op: Literal["coalesce"] = "coalesce"
    options: Annotated[tuple["Expr", ...], Field(min_length=1)]


class If(Primitive):
    """One of two values; the other is not evaluated."""

    takes = {"holds": BOOLEAN, "then": ANY, "otherwise": ANY}
    op: Literal["if"] = "if"
    holds: "Expr"
    then: "Expr"
    otherwise: "Expr"
