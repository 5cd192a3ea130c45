"""The outward shape of values: how much a text looks like the examples that a schema gives."""

import re
from functools import lru_cache
from typing import Any

from envwright.events import Json, digest

_SHORTEST_ID = 2
_TOKEN = re.compile(r"[^\W_]+|.", re.DOTALL)


def _token_class(token: str) -> str:
    if not token.isalnum():
        return token
    if token.isdigit():
        return "9"
    if any(character.isdigit() for character in token):
        return "X" if token == token.upper() else "x"
    if token == token.upper():
        return "A"
    return "a" if token == token.lower() else "Aa"


@lru_cache(maxsize=16384)
def shape(text: str) -> tuple[str, ...]:
    """Return the classes of the text's tokens: `#W12` is `("#", "X")`."""
    return tuple(_token_class(token) for token in _TOKEN.findall(text))


@lru_cache(maxsize=16384)
def likeness(text: str, example: str) -> float:
    """Say from -1 to 1 how much a text looks like an example of what is wanted."""
    mine, wanted = shape(text), shape(example)
    if mine == wanted:
        return 1.0 if len(text) == len(example) else 0.8
    if [part.lower() for part in mine] == [part.lower() for part in wanted]:
        return 0.5
    apart = sum(
        (mark in text) != (mark in example)
        for mark in sorted(set(text + example))
        if not _plain(mark)
    )
    apart += _has_digit(text) != _has_digit(example)
    apart += (" " in text) != (" " in example)
    return max(-1.0, 0.2 - 0.6 * apart)


def _plain(character: str) -> bool:
    return character.isalnum() or character.isspace()


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def telling(example: str) -> bool:
    """Say whether an example has a shape that other values would not have by chance."""
    return _has_digit(example) or any(not _plain(character) for character in example)


def is_scalar(value: Json) -> bool:
    """Say whether a JSON value is a text, number or truth value."""
    return isinstance(value, str | int | float | bool)


def like_id(text: str) -> bool:
    """Say whether a text looks like an id rather than like a word or a phrase."""
    word = text.isalpha() and text != text.upper()
    return len(text) >= _SHORTEST_ID and " " not in text and not word


def text_of(value: Json) -> str:
    """Return a scalar as people write it: 25.0 is 25."""
    whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if whole else str(value)


def as_type(value: Json, kind: str) -> Any:
    """Return the value as the JSON Schema type `kind`, or None if it cannot be one."""
    if kind == "string":
        return value if isinstance(value, str) else None
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind in ("integer", "number"):
        return _as_number(value, kind)
    if kind in ("array", "object"):
        return value if isinstance(value, list if kind == "array" else dict) else None
    return value


def _as_number(value: Json, kind: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(str(value).lstrip("$€£").replace(",", ""))
    except ValueError:
        return None
    if number.is_integer():
        return int(number)
    return number if kind == "number" else None


def value_key(value: Json) -> str:
    """Return a key under which equal values, such as 1 and 1.0, are one."""
    return f"text {value}" if isinstance(value, str) else digest(value)
