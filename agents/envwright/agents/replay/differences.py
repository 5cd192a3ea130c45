"""Differences: two JSON values told apart by the paths at which they differ."""

from collections.abc import Iterator
from itertools import islice

from envwright.events import digest, encode
from envwright.events.canonical import Json

_PATHS = 20
_LONG = 400
_SHOWN = 160

_ABSENT = object()


def difference(expected: Json, actual: Json) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return what two values hold where they differ, by JSON path; both empty where they are one.

    A path that is on one side only is absent on the other. At most 20 paths are told, and a long
    value by its beginning and digest.
    """
    left: dict[str, Json] = {}
    right: dict[str, Json] = {}
    for path, was, found in islice(_walk("$", expected, actual), _PATHS):
        if was is not _ABSENT:
            left[path] = _short(was)
        if found is not _ABSENT:
            right[path] = _short(found)
    return left, right


def _walk(path: str, expected: Json, actual: Json) -> Iterator[tuple[str, Json, Json]]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            inner = f"{path}.{key}"
            yield from _walk(inner, expected.get(key, _ABSENT), actual.get(key, _ABSENT))
    elif isinstance(expected, list) and isinstance(actual, list):
        for index in range(max(len(expected), len(actual))):
            yield from _walk(f"{path}[{index}]", _item(expected, index), _item(actual, index))
    elif _ABSENT in (expected, actual) or encode(expected) != encode(actual):
        yield path, expected, actual


def _item(values: list[Json], index: int) -> Json:
    return values[index] if index < len(values) else _ABSENT


def _short(value: Json) -> Json:
    text = encode(value)
    if len(text) <= _LONG:
        return value
    return f"{text[:_SHOWN].decode('ascii')}… ({len(text)} bytes, digest {digest(value)[:12]})"
