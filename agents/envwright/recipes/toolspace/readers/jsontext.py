"""JSON as logs have it: parsed with what is no JSON left as marks, and made canonical where used.

A trace may hold a NaN or a key twice in a place that nobody needs. So a parser only marks such a
place, and the part of a source that holds one is refused when a reader takes it.
"""

import json
from collections.abc import Iterable
from sys import intern
from typing import Final

from envwright.events.canonical import Json, normalise
from envwright.events.errors import CanonicalError

DEPTH: Final = 100
"""Deepest nesting of a value that is read (ours); what comes later walks values recursively."""

_DIGITS: Final = 1000
"""Most digits of a whole number that is read (ours)."""


class UnusableError(ValueError):
    """A part of a source cannot be used; the message is the reason of its skip."""


class NotJsonError(UnusableError):
    """A text is no JSON at all."""


class Mark:
    """Stands in a parsed value where the text held what is no JSON."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"({self.reason})"


def parse(text: str) -> Json:
    """Return the value of a JSON text, with marks in it where it is no JSON.

    Raises:
        NotJsonError: the text is not JSON.
        UnusableError: it is nested too deep to be parsed.
    """
    try:
        return DECODER.decode(text)
    except ValueError as error:
        raise NotJsonError(fault(error)) from error
    except RecursionError as error:
        raise UnusableError(fault(error)) from error


def canonical(value: Json, room: int = DEPTH) -> Json:
    """Return the canonical form of a parsed value, with keys shared between values.

    Raises:
        UnusableError: it holds a mark, half a character, or is nested too deep.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _text(value)
    if kind is int or kind is bool or value is None:
        return value
    if kind is dict:
        return _mapping(value, _deeper(room))
    if kind is list:
        inner = _deeper(room)
        return [canonical(item, inner) for item in value]
    if kind is Mark:
        raise UnusableError(value.reason)
    try:
        return normalise(value)
    except CanonicalError as error:
        raise UnusableError(str(error)) from error


def read_json(text: str) -> Json:
    """Return the canonical value of a JSON text.

    Raises:
        UnusableError: it is not JSON, or has no canonical form.
    """
    return canonical(parse(text))


def fault(error: Exception) -> str:
    """Return what a person needs to know of a parser's error."""
    return "nested too deep" if isinstance(error, RecursionError) else f"not JSON: {error}"


def _deeper(room: int) -> int:
    if room <= 0:
        raise UnusableError(f"nested deeper than {DEPTH} levels")
    return room - 1


def _mapping(value: dict[str, Json], room: int) -> dict[str, Json]:
    # Interned keys make the rows of a long log share them.
    result = {
        intern(name if name.isascii() else _text(name)): canonical(item, room)
        for name, item in value.items()
    }
    if len(result) < len(value):
        raise UnusableError("two keys are one text in Unicode's normal form")
    return result


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnusableError("text holds half a surrogate pair, which is no character") from error
    normal: str = normalise(text)
    return normal


def _object(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    pairs = list(pairs)
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    first: dict[str, Json] = {}
    for name, value in pairs:
        if name in first and not _one(first[name], value):
            result[name] = Mark(f"key {name!r:.40} stands twice with different values")
        first.setdefault(name, value)
    return result


def _one(left: Json, right: Json) -> bool:
    try:
        return repr(left) == repr(right)
    except RecursionError:
        return False


def _whole(digits: str) -> int | Mark:
    return int(digits) if len(digits) <= _DIGITS else Mark(f"a number of {len(digits)} digits")


def _constant(name: str) -> Mark:
    return Mark(f"{name} is not a JSON number")


DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole, parse_constant=_constant
)
"""Parses one JSON value of a text; its own errors are ValueError and RecursionError."""
