"""Mutations: other values for the arguments of a call, likely ones first, the same every time."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from envwright.events import Json, equal
from envwright.events.values import ToolCall

_PER_VALUE = 8
_PER_ARGUMENT = 12
_ITEMS = 3

Place = tuple[str | int, ...]


class Mutation(NamedTuple):
    """A call with another value at one place of its arguments."""

    path: Place
    value: Json
    """What stands there now; null where an item was dropped."""
    call: ToolCall


class Neighbours:
    """Values that stand beside a value in the tables of a state: what else could be meant.

    Beside a key stand the other keys of its object; beside a field stands that field of other rows.
    Only the places of texts and numbers in `wanted` are kept, so that a large state is walked once.
    """

    def __init__(self, state: Json, wanted: Json) -> None:
        tables = state.get("tables") if isinstance(state, dict) else None
        self._tables: dict[str, dict[str, Json]] = tables if isinstance(tables, dict) else {}
        self._wanted = set(_leaves(wanted))
        self._keys: dict[str, list[dict[str, Json]]] = {}
        self._fields: dict[tuple[type, Json], list[tuple[str, str, Place]]] = {}
        for table, rows in self._tables.items():
            self._note_keys(rows)
            for key, row in rows.items():
                self._note(table, key, (), row)

    def of(self, value: Json) -> Iterator[Json]:
        """Yield other values of the same type, nearest in key order first, some twice."""
        if isinstance(value, str):
            for siblings in self._keys.get(value, [])[:2]:
                yield from islice(_after(sorted(siblings), value), _PER_VALUE)
        if isinstance(value, str | int | float):
            for table, key, path in self._fields.get((type(value), value), [])[:2]:
                rows = self._tables[table]
                near = (_at(rows[other], path) for other in _after(sorted(rows), key))
                other = (item for item in near if type(item) is type(value) and item != value)
                yield from islice(other, _PER_VALUE)

    def _note(self, table: str, key: str, path: Place, value: Json) -> None:
        if isinstance(value, dict):
            self._note_keys(value)
            for name, item in value.items():
                self._note(table, key, (*path, name), item)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self._note(table, key, (*path, index), item)
        elif value in self._wanted:
            self._fields.setdefault((type(value), value), []).append((table, key, path))

    def _note_keys(self, siblings: dict[str, Json]) -> None:
        for name in self._wanted.intersection(siblings):
            self._keys.setdefault(str(name), []).append(siblings)


def mutations(
    call: ToolCall, argument: str, schema: dict[str, Any], neighbours: Neighbours
) -> tuple[Mutation, ...]:
    """Return calls that differ in one argument: by its enum, its neighbours, then near values."""
    properties = schema.get("properties")
    part = properties.get(argument) if isinstance(properties, dict) else None
    value = call.arguments[argument]
    found: list[Mutation] = []
    for path, other in _others(value, part if isinstance(part, dict) else {}, neighbours):
        whole = _replaced(value, path, other)
        known = [value, *(mutation.call.arguments[argument] for mutation in found)]
        if not any(equal(whole, item) for item in known):
            changed = ToolCall(name=call.name, arguments={**call.arguments, argument: whole})
            found.append(Mutation((argument, *path), None if other is _DROP else other, changed))
        if len(found) == _PER_ARGUMENT:
            break
    return tuple(found)


_DROP = object()


def _others(value: Json, schema: dict[str, Any], near: Neighbours) -> Iterator[tuple[Place, Any]]:
    """Yield places inside a value with what else could stand there."""
    if isinstance(value, dict):
        inner = schema.get("properties")
        for name in sorted(value):
            part = inner.get(name) if isinstance(inner, dict) else None
            for path, other in _others(value[name], part if isinstance(part, dict) else {}, near):
                yield (name, *path), other
    elif isinstance(value, list):
        part = schema.get("items")
        for index, item in enumerate(value[:_ITEMS]):
            for path, other in _others(item, part if isinstance(part, dict) else {}, near):
                yield (index, *path), other
        if len(value) > 1:
            yield (len(value) - 1,), _DROP
    else:
        for other in _scalars(value, schema, near):
            yield (), other


def _scalars(value: Json, schema: dict[str, Any], near: Neighbours) -> Iterator[Json]:
    options = schema.get("enum")
    if isinstance(options, list):
        yield from options
    if isinstance(value, bool):
        yield not value
        return
    yield from islice(near.of(value), _PER_VALUE)
    if isinstance(value, int | float):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        yield _bumped(value)
    else:
        yield from ("x", 1)


def _bumped(text: str) -> str:
    """Return the text with its last ASCII letter or digit turned, so that its form stays."""
    for index in range(len(text) - 1, -1, -1):
        for first, count in (("0", 10), ("a", 26), ("A", 26)):
            place = ord(text[index]) - ord(first)
            if 0 <= place < count:
                turned = chr(ord(first) + (place + 1) % count)
                return text[:index] + turned + text[index + 1 :]
    return f"{text}x"


def _replaced(value: Json, path: Place, other: Any) -> Json:
    if not path:
        return other
    step = path[0]
    if isinstance(value, dict):
        return {**value, step: _replaced(value[step], path[1:], other)}
    if other is _DROP and len(path) == 1:
        return [item for index, item in enumerate(value) if index != step]
    return [
        _replaced(item, path[1:], other) if index == step else item
        for index, item in enumerate(value)
    ]


def _leaves(value: Json) -> Iterator[str | int | float]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    elif isinstance(value, str | int | float):
        yield value


def _at(value: Json, path: Place) -> Json:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _after(ordered: list[str], value: str) -> Iterator[str]:
    """Yield the others in order, from the one after `value` and round again."""
    at = ordered.index(value)
    yield from ordered[at + 1 :]
    yield from ordered[:at]
