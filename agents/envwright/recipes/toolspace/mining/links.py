"""Links: fields whose values are keys of another table, and which mappings in a row go by id."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from envwright.events.canonical import Json
from envwright.events.values import Value
from envwright.recipes.toolspace.mining.entities import FEWEST_KEYS
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import (
    ANY,
    Pattern,
    alike,
    is_key_value,
    key_text,
    leaves,
)

SHARE = 0.3
"""Least share of a field's values that must be known keys (ours): many rows were never read."""

NAMED_SHARE = 0.05
"""The same, for a field that has the name of the key (ours)."""

FEWEST_MEMBERS = 5
"""Fewest distinct names that tell a mapping by id from an object with fields (ours)."""


class Link(Value):
    """A field of one table whose values are keys of another."""

    table: str
    pattern: Pattern
    target: str


def mappings(table: Table) -> frozenset[Pattern]:
    """Return where rows hold objects that go by id: many names over all rows, few in each."""
    names: dict[Pattern, set[str]] = defaultdict(set)
    most: dict[Pattern, int] = defaultdict(int)
    flat: set[Pattern] = set()
    for key in table.rows:
        for pattern, value in _objects(table.rows[key], ()):
            names[pattern] |= value.keys()
            most[pattern] = max(most[pattern], len(value))
            if not all(isinstance(item, dict) for item in value.values()):
                flat.add(pattern)
    return frozenset(
        pattern
        for pattern in names
        if pattern not in flat
        and len(names[pattern]) >= FEWEST_MEMBERS
        and len(names[pattern]) > 2 * most[pattern]
    )


def _objects(value: Json, pattern: Pattern) -> Iterator[tuple[Pattern, dict[str, Any]]]:
    if isinstance(value, dict):
        if pattern:
            yield pattern, value
        for name in sorted(value):
            yield from _objects(value[name], (*pattern, name))
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item, (*pattern, ANY))


def mine_links(tables: dict[str, Table], maps: dict[str, frozenset[Pattern]]) -> tuple[Link, ...]:
    """Return the links between tables, sorted."""
    found = []
    for name in sorted(tables):
        values = _values(tables[name], maps[name])
        for pattern in sorted(values):
            target = _target(tables, name, pattern, values[pattern])
            if target is not None:
                found.append(Link(table=name, pattern=pattern, target=target))
    return tuple(found)


def _values(table: Table, maps: frozenset[Pattern]) -> dict[Pattern, set[Json]]:
    values: dict[Pattern, set[Json]] = defaultdict(set)
    for key in table.rows:
        for leaf in leaves(table.rows[key], maps):
            if is_key_value(leaf.value) and key_text(leaf.value) != key:
                values[leaf.pattern].add(leaf.value)
    return values


def _target(tables: dict[str, Table], name: str, pattern: Pattern, values: set[Json]) -> str | None:
    last = next((step for step in reversed(pattern) if step != ANY), "")
    choices = []
    for other in sorted(tables):
        table = tables[other]
        named = alike(last, table.entity.argument)
        # Small whole numbers are keys by accident unless the name says so.
        hits = [v for v in values if key_text(v) in table.rows and (named or isinstance(v, str))]
        least = NAMED_SHARE if named else SHARE
        if other != name and len(hits) >= FEWEST_KEYS and len(hits) >= least * len(values):
            choices.append((not named, -len(hits), other))
    return min(choices)[2] if choices else None
