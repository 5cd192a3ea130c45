"""JSON values inside rows: identity by value, leaves with their places, and what names a thing."""

import json
import re
from collections.abc import Hashable, Iterator
from typing import Any, Final, NamedTuple

from envwright.events.canonical import Json

Step = str | int
Path = tuple[Step, ...]
"""Steps to one value inside a row."""

Pattern = tuple[str, ...]
"""A path in which every index, and every key of a mapping by id, is `*`."""

ANY: Final = "*"
ABSENT: Final[Any] = object()
"""What `at` gives where a path leads nowhere; not a JSON value."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_]+")


class Leaf(NamedTuple):
    """A scalar inside a row and where it stands."""

    pattern: Pattern
    path: Path
    value: Json


def identity(value: Json) -> Hashable:
    """Return a key that is equal for equal canonical values only (Python thinks True == 1)."""
    if type(value) is str:
        return value
    return canonical_bytes(value)


def canonical_bytes(value: Json) -> bytes:
    """Return `encode(value)` of a value that is canonical already, without normalising again."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def same(left: Json, right: Json) -> bool:
    """Say whether two canonical values are one value."""
    # Unequal in Python is always unequal here; equal may still be a boolean beside a number.
    return left == right and (type(left) is str or identity(left) == identity(right))


def at(value: Json, path: Path) -> Json:
    """Return what is at `path` inside `value`, or ABSENT."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step, ABSENT)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return ABSENT
    return value


def leaves(value: Json, maps: frozenset[Pattern] = frozenset()) -> Iterator[Leaf]:
    """Yield the scalars of a value, in a fixed order; `maps` are the mappings by id in it."""
    yield from _leaves(value, maps, (), ())


def leaves_at(value: Json, path: Path, maps: frozenset[Pattern] = frozenset()) -> Iterator[Leaf]:
    """Yield those leaves of a value that stand at a path or inside what is there."""
    pattern: Pattern = ()
    for step in path:
        pattern = (*pattern, ANY if isinstance(step, int) or pattern in maps else step)
    found = at(value, path)
    if found is not ABSENT:
        yield from _leaves(found, maps, pattern, path)


def _leaves(value: Json, maps: frozenset[Pattern], pattern: Pattern, path: Path) -> Iterator[Leaf]:
    if isinstance(value, dict):
        by_id = pattern in maps
        for name in sorted(value):
            step = ANY if by_id else name
            yield from _leaves(value[name], maps, (*pattern, step), (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, maps, (*pattern, ANY), (*path, index))
    else:
        yield Leaf(pattern, path, value)


def is_scalar(value: Json) -> bool:
    """Say whether a value is neither object nor list."""
    return not isinstance(value, dict | list)


def is_key_value(value: Json) -> bool:
    """Say whether a value could be the key of something: text or a whole number."""
    return (isinstance(value, str) and value != "") or (
        isinstance(value, int) and not isinstance(value, bool)
    )


def key_text(value: Json) -> str:
    """Return the text under which a table holds a key."""
    return value if isinstance(value, str) else json.dumps(value)


def words(name: str) -> list[str]:
    """Return the words of an identifier in lower case: `newItemIds` is new, item, ids."""
    return [word.lower() for word in _WORD.findall(name)]


def phrase(name: str) -> str:
    """Return an identifier as a person would say it."""
    return " ".join(words(name)) or name


_ID_WORDS = frozenset({"id", "ids", "uuid", "guid", "key", "keys", "code", "no", "number"})


def entity_noun(name: str) -> str:
    """Return the noun that a key's name speaks of: `order_id` is order; empty if it has none."""
    parts = words(name)
    while parts and parts[-1] in _ID_WORDS:
        parts.pop()
    return "_".join(parts) if len(parts) < len(words(name)) else ""


def plural(noun: str) -> str:
    """Return the plural of an English noun, well enough for the name of a table."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun if noun.endswith("s") else f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def singular(noun: str) -> str:
    """Return the singular of an English noun, well enough for a sentence."""
    if noun.endswith("ies") and len(noun) > 4:
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "xes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def alike(left: str, right: str) -> bool:
    """Say whether two names speak of one thing: `cancel_reason` and `reason` do."""
    one, two = _stems(left), _stems(right)
    return bool(one and two) and (one <= two or two <= one)


def _stems(name: str) -> frozenset[str]:
    noun = entity_noun(name)
    return frozenset(singular(word) for word in words(noun or name))
