"""Drafts: expressions as the search builds them, cheap to make by the thousand.

A draft has no contract of its own: the one that is chosen is written in the language of worlds, by
`phrasing`, which checks it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.values import Path, identity

WALKED = ("first", "second")
"""What the lists of a walk are called, where there are two."""


class Fixed:
    """A constant value, equal to the same JSON value only: Python takes True for 1."""

    __slots__ = ("_mark", "value")

    def __init__(self, value: Json) -> None:
        self.value = value
        self._mark = identity(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and self._mark == other._mark

    def __hash__(self) -> int:
        return hash(self._mark)

    def __repr__(self) -> str:
        return repr(self.value)


class Draft(NamedTuple):
    """An operation and its parts: drafts, paths, names and values."""

    op: str
    parts: tuple[Any, ...] = ()


def constant(value: Json) -> Draft:
    """Return a fixed value."""
    return Draft("const", (Fixed(value),))


def argument(path: Path) -> Draft:
    """Return a value from the arguments."""
    return Draft("arg", (path,))


def own_field(path: Path) -> Draft:
    """Return a value from the row before."""
    return Draft("field", (path,))


def own_key() -> Draft:
    """Return the key of the row."""
    return Draft("key")


def item(depth: int, walked: str, path: Path) -> Draft:
    """Return what stands in the item of a walk; `walked` names one of several lists."""
    return Draft("item", (depth, walked, path))


def looked_up(table: str, key: Draft, path: Path) -> Draft:
    """Return what stands in the row of a table."""
    return Draft("lookup", (table, key, path))


def member(mapping: Draft, key: Draft, path: Path) -> Draft:
    """Return what stands in the member of a mapping that has a key."""
    return Draft("member", (mapping, key, path))


def first_with(items: Draft, name: str, value: Draft, path: Path) -> Draft:
    """Return what stands in the first item of a list whose field has a value."""
    return Draft("first", (items, name, value, path))


def fields(parts: dict[str, Draft]) -> Draft:
    """Return an object."""
    return Draft("object", tuple(sorted(parts.items())))


def in_order(items: Draft) -> Draft:
    """Return a list, sorted."""
    return Draft("sorted", (items,))


def sequence(items: Sequence[Draft]) -> Draft:
    """Return a list of these."""
    return Draft("list", tuple(items))


def joined(left: Draft, right: Draft) -> Draft:
    """Return two lists as one."""
    return Draft("joined", (left, right))


def walk(op: str, lists: Sequence[Draft], depth: int, body: Draft) -> Draft:
    """Return the `map` or `sum` of a body over the items of lists that are walked together."""
    return Draft(op, (tuple(lists), depth, body))


def replaced(items: Draft, name: str, lists: Sequence[Draft], depth: int, body: Draft) -> Draft:
    """Return a list whose items that the first of the lists names by a field are replaced."""
    return Draft("replaced", (items, name, tuple(lists), depth, body))


def apply(op: str, *operands: Draft) -> Draft:
    """Return what an operation gives: negate, absolute, round2, count, minus, plus, times, more,
    equal, outside, lacks, present, absent."""
    return Draft(op, operands)


def either(test: Draft, yes: Draft, no: Draft) -> Draft:
    """Return one of two, as a test says."""
    return Draft("if", (test, yes, no))


def template(pieces: Sequence[str | Draft]) -> Draft:
    """Return a text with holes."""
    return Draft("template", tuple(pieces))
