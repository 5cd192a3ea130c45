"""Reach: the objects that calls can get to from what they see, by keys of rows, members and items.

Whatever is reachable is found once for all frames together: a look-up is worth trying if most
frames have what it looks for.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column, Key, Root, Values
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    identity,
    is_key_value,
    is_scalar,
    key_text,
    same,
)

MOST_HOPS = 3
"""How many look-ups an expression may chain (ours)."""

MOST_ROOTS = 48
"""How many objects are followed in one scope (ours)."""

RowOf = Callable[[Sample, str, str], Json]
"""The row of a table by key as a sample could see it, ABSENT if there is none, or UNKNOWN."""


class LookUp(NamedTuple):
    """How the frames find rows: the call of each, the tables, and what a call could see there."""

    samples: tuple[Sample, ...]
    tables: tuple[str, ...]
    row_of: RowOf


class Reach:
    """Follows keys to rows of tables, to members of mappings and to items of lists."""

    def __init__(self, inherited: Sequence[Root], look_up: LookUp, least: float) -> None:
        self._look_up = look_up
        self._least = least
        self._seen: set[Hashable] = {_marks(root.values) for root in inherited}
        self._all: list[Root] = list(inherited)
        self._found: list[Root] = []

    def found(self, given: Sequence[Root]) -> list[Root]:
        """Return the given roots and what they lead to."""
        level: list[Root] = []
        for root in given:
            self._add(root, level)
        for _ in range(MOST_HOPS):
            fresh, level = level, []
            if not fresh:
                break
            for reached in self._followed(fresh):
                if len(self._all) < MOST_ROOTS:
                    self._add(reached, level)
        return self._found

    def _add(self, root: Root, level: list[Root]) -> None:
        marks = _marks(root.values)
        if marks in self._seen:
            return
        self._seen.add(marks)
        for target in (self._all, self._found, level):
            target.append(root)

    def _followed(self, fresh: list[Root]) -> Iterator[Root]:
        old = [root for root in self._all if root not in fresh]
        new_keys, old_keys = _keys(fresh), _keys(old)
        for key in new_keys:
            for table in self._look_up.tables:
                yield from self._rows(table, key.column)
        pairs = [(key, root) for key in new_keys for root in (*old, *fresh)]
        pairs += [(key, root) for key in old_keys for root in fresh]
        for key, root in pairs:
            for path, kind in root.places.items():
                if kind is dict and path:
                    yield from self._members(root, path, key)
                elif kind is list:
                    yield from self._items(root, path, key)

    def _rows(self, table: str, key: Column) -> Iterator[Root]:
        values = tuple(
            UNKNOWN
            if value is UNKNOWN
            else self._look_up.row_of(sample, table, key_text(value))
            if is_key_value(value)
            else ABSENT
            for sample, value in zip(self._look_up.samples, key.values, strict=True)
        )
        if self._there(values):
            yield Root(
                lambda path: drafts.looked_up(table, key.expr, path),
                values,
                key.cost + 3,
                "reached",
                key.varies,
            )

    def _members(self, root: Root, path: Path, key: Key) -> Iterator[Root]:
        if root.names(path, "").isdisjoint(key.distinct):
            return
        column = key.column
        values = tuple(map(_member, root.column(path).values, column.values))
        if self._there(values):
            yield Root(
                lambda rest: drafts.member(root.phrase(path), column.expr, rest),
                values,
                root.cost + column.cost + 2,
                "reached",
                root.own or column.varies,
            )

    def _items(self, root: Root, path: Path, key: Key) -> Iterator[Root]:
        column, held = key.column, root.column(path).values
        first = next((v[0] for v in held if isinstance(v, list) and v), None)
        if not isinstance(first, dict):
            return
        for name in sorted(first):
            if not is_key_value(first[name]) or root.names(path, name).isdisjoint(key.distinct):
                continue
            values = tuple(_item(i, name, k) for i, k in zip(held, column.values, strict=True))
            if self._there(values):
                yield Root(
                    _finder(root, path, name, column),
                    values,
                    root.cost + column.cost + 3,
                    "reached",
                    root.own or column.varies,
                )

    def _there(self, values: Values) -> bool:
        known = [value for value in values if value is not UNKNOWN]
        there = sum(value is not ABSENT for value in known)
        enough = bool(there) and there >= self._least * len(known)
        return enough and 4 * len(known) >= len(values)


def _finder(root: Root, path: Path, name: str, key: Column) -> Callable[[Path], Draft]:
    return lambda rest: drafts.first_with(root.phrase(path), name, key.expr, rest)


def _keys(roots: Sequence[Root]) -> list[Key]:
    return [
        root.key(path)
        for root in roots
        for path, kind in root.places.items()
        if kind in (str, int) and (path or root.kind == "item")
    ]


def _member(held: Json, key: Json) -> Json:
    if held is UNKNOWN or key is UNKNOWN:
        return UNKNOWN
    return held.get(key, ABSENT) if isinstance(held, dict) and isinstance(key, str) else ABSENT


def _item(items: Json, name: str, key: Json) -> Json:
    if items is UNKNOWN or key is UNKNOWN:
        return UNKNOWN
    if not isinstance(items, list) or not is_scalar(key):
        return ABSENT
    return next((i for i in items if isinstance(i, dict) and same(i.get(name), key)), ABSENT)


def _marks(values: Values) -> Hashable:
    # Rows and items are shared objects: the same ones on all frames are the same root.
    return tuple(
        id(v) if not is_scalar(v) or v in (UNKNOWN, ABSENT) else identity(v) for v in values
    )
