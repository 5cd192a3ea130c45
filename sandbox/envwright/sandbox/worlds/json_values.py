"""JSON values as worlds hold them: canonical form, paths, equality, order, copies and bounds.

A canonical value has texts in NFC, one form per number and sorted keys. So two equal values look
the same to whoever reads them, and a snapshot that sorts keys loses nothing.
"""

import json
from collections.abc import Hashable
from types import NoneType
from typing import Any, Final

from envwright.events.canonical import Json, encode
from envwright.events.errors import CanonicalError

MAX_DEPTH = 64
"""How deep a row or an argument may nest: digests recurse, and must never run out of stack."""

MAX_PARTS = 100_000
"""How many values a row may hold: a program that doubles a row must not fill the memory."""

ABSENT: Final[Any] = object()
"""What `at` gives where a path leads nowhere; not a JSON value."""


def canonical(value: Json) -> Json:
    """Return a canonical copy that shares nothing with `value`.

    Raises:
        CanonicalError: what cannot be JSON, or nests too deep or has too long a number to be read.
    """
    return sized_canonical(value)[0]


def sized_canonical(value: Json) -> tuple[Json, int]:
    """Return a canonical copy that shares nothing with `value`, and its length in bytes.

    Raises:
        CanonicalError: what cannot be JSON, or nests too deep or has too long a number to be read.
    """
    try:
        encoded = encode(value, nfc=True)
        return json.loads(encoded), len(encoded)
    except RecursionError as error:
        raise CanonicalError(f"nested too deep; at most {MAX_DEPTH} levels are held") from error
    except ValueError as error:
        raise CanonicalError(f"a number has too many digits: {error}") from error


def canonical_bytes(value: Json) -> bytes:
    """Return `encode(value)` of a value that is canonical already, without normalising again."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def exceeds_bounds(value: Json) -> str:
    """Return how `value` exceeds the bounds on depth and size, or an empty text."""
    level, parts = [value], 0
    for _ in range(MAX_DEPTH):
        level = [part for container in level for part in _parts(container)]
        parts += len(level)
        if not level:
            return ""
        if parts > MAX_PARTS:
            return f"holds more than {MAX_PARTS} values"
    return f"nests deeper than {MAX_DEPTH} levels"


def measure(value: Json, most: int) -> int:
    """Return how many values there are in a value, itself included; past `most`, any larger."""
    level, count = [value], 1
    while level and count <= most:
        level = [part for container in level for part in _parts(container)]
        count += len(level)
    return count


def has_long_text(value: Json, longest: int) -> bool:
    """Say whether a text or a name inside a value has more characters than allowed."""
    level = [value]
    while level:
        texts = (part for part in level if isinstance(part, str))
        names = (name for part in level if isinstance(part, dict) for name in part)
        if any(len(text) > longest for text in (*texts, *names)):
            return True
        level = [part for container in level for part in _parts(container)]
    return False


def _parts(value: Json) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def copied(value: Json) -> Json:
    """Return a copy that shares no object or list with `value`."""
    # The type checks in the loops spare a call for each leaf: this runs for every result.
    if type(value) is dict:
        return {k: copied(v) if type(v) in _CONTAINERS else v for k, v in value.items()}
    if type(value) is list:
        return [copied(v) if type(v) in _CONTAINERS else v for v in value]
    return value


_CONTAINERS = frozenset((dict, list))


def at(value: Json, path: tuple[str | int, ...]) -> Json:
    """Return what is at `path` inside `value`, or ABSENT."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step, ABSENT)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return ABSENT
    return value


def identity(value: Json) -> Hashable:
    """Return a key that is equal for equal canonical values only (Python thinks True == 1)."""
    return value if isinstance(value, str) else canonical_bytes(value)


def order_key(value: Json) -> tuple[int, Any]:
    """Return the sort key of a canonical value: null, booleans, numbers, texts, lists, objects.

    Lists and objects are compared part by part.
    """
    if isinstance(value, dict):
        return 5, [(name, order_key(part)) for name, part in value.items()]
    if isinstance(value, list):
        return 4, [order_key(part) for part in value]
    return _RANKS[type(value)], 0 if value is None else value


_RANKS: dict[type, int] = {NoneType: 0, bool: 1, int: 2, float: 2, str: 3}


def path_text(path: tuple[str | int, ...]) -> str:
    """Return a path as people write it: `items[0].price`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def shown(value: Json) -> str:
    """Return a value for a message, in time that does not depend on its size."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return repr(value[:80] if isinstance(value, str) else value)
