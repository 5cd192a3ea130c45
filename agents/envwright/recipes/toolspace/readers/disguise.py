"""The disguise of sources: what stands in some of their fields is replaced wherever it occurs.

A source is rewritten before anything of it is kept, as JSON lines: one for each of its elements,
in their order. Whatever cannot be read cannot be disguised either, so nothing of it remains.
"""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from envwright.events.canonical import Json, digest, digest_bytes
from envwright.events.errors import BadInputError
from envwright.recipes.recipe import Disguise, Source
from envwright.recipes.toolspace.readers.documents import elements
from envwright.recipes.toolspace.readers.jsontext import DEPTH, UnusableError, parse
from envwright.recipes.toolspace.readers.messages import ROLES, is_message
from envwright.recipes.toolspace.readers.pseudonyms import Pseudonyms, text_of
from envwright.recipes.toolspace.readers.results import PARTS

_UNREADABLE: Final = "unreadable"
"""The line that stands for an element that cannot be read: no JSON, so it stays a skip."""

_ROOM: Final = DEPTH + 20

_FORMAT_FIELDS: Final = frozenset(
    {
        "args",
        "arguments",
        "content",
        "from",
        "function",
        "id",
        "input",
        "key",
        "name",
        "output",
        "result",
        "role",
        "server",
        "service",
        "status",
        "text",
        "title",
        "tool",
        "type",
        "value",
    }
)
"""Names that the formats use themselves: as the field to replace they count inside data only."""

_FORMAT_WORDS: Final = frozenset(
    {
        *ROLES,
        *PARTS,
        "array",
        "boolean",
        "error",
        "execute_tool",
        "initialize",
        "integer",
        "number",
        "object",
        "string",
        "success",
        "system",
        "tool_result",
        "tool_use",
        "tools/call",
        "tools/list",
    }
)
"""Values that the formats use themselves: they are replaced in the fields alone."""

_DATA_FIELDS: Final = frozenset(
    {"args", "arguments", "input", "kwargs", "output", "response", "result", "structuredContent"}
)
"""Where the formats hold the data of tools."""


class _Place(NamedTuple):
    """Where a walk is: names on the way, and what they make of what is found there."""

    path: tuple[str, ...] = ()
    data: bool = False
    own: bool = False
    """Whether this is inside one of the fields."""


def disguised(sources: Sequence[Source], disguise: Disguise) -> list[Source]:
    """Return the sources with pseudonyms for the values of the fields, equal for equal values.

    Raises:
        BadInputError: a source cannot be read, or there is a field that none of them has.
    """
    walk = _Walk(disguise.fields)
    for name, data in sources:
        for element in elements(name, data):
            walk.collect(element.value, _Place(), _ROOM)
    walk.require_all()
    pseudonyms = Pseudonyms(disguise.key or _own_key(sources), walk.values)
    return [(name, b"".join(_lines(walk, pseudonyms, name, data))) for name, data in sources]


def _own_key(sources: Sequence[Source]) -> bytes:
    digests = sorted(digest_bytes(data) for _, data in sources)
    return digest(["pseudonyms", digests]).encode()


def _lines(walk: "_Walk", pseudonyms: Pseudonyms, name: str, data: bytes) -> Iterator[bytes]:
    for element in elements(name, data):
        if element.problem:
            yield f"{_UNREADABLE}\n".encode()
        else:
            value = walk.replaced(element.value, _Place(), _ROOM, pseudonyms)
            yield _dumped(value).encode() + b"\n"


class _Walk:
    """Goes through parsed sources, and through the JSON in their texts, knowing the fields."""

    def __init__(self, fields: Sequence[str]) -> None:
        self.values: set[str] = set()
        self._fields = {tuple(field.casefold().split(".")): field for field in fields}
        self._longest = max(map(len, self._fields), default=0)
        self._met: set[str] = set()

    def require_all(self) -> None:
        """Raise unless every field was met."""
        missing = sorted(set(self._fields.values()) - self._met)
        if missing:
            raise BadInputError(
                f"no source has a field {', '.join(map(repr, missing))}; expected the name of a "
                'field, or the end of its path such as "address.zip"'
            )

    def collect(self, value: Json, place: _Place, room: int) -> None:
        """Note the values that stand in the fields."""
        if room == 0:
            return
        if isinstance(value, dict):
            for name, item in value.items():
                self.collect(item, self._enter(value, name, place), room - 1)
        elif isinstance(value, list):
            for item in value:
                self.collect(item, place, room - 1)
        elif (inner := _inner(value)) is not None:
            self.collect(inner, place._replace(data=True), room - 1)
        elif place.own and (text := text_of(value)):
            self.values.add(text)

    def replaced(self, value: Json, place: _Place, room: int, by: Pseudonyms) -> Json:
        """Return a value in which pseudonyms stand for the values that were noted."""
        if room == 0:
            # Nothing reads as deep as this; NaN is what no reader takes.
            return math.nan
        if isinstance(value, dict):
            return {
                by.key(name): self.replaced(item, self._enter(value, name, place), room - 1, by)
                for name, item in value.items()
            }
        if isinstance(value, list):
            return [self.replaced(item, place, room - 1, by) for item in value]
        if (inner := _inner(value)) is not None:
            found = self.replaced(inner, place._replace(data=True), room - 1, by)
            return value if found == inner else _dumped(found)
        kept = isinstance(value, str) and value in _FORMAT_WORDS and not place.own
        return value if kept else by.whole(value, own=place.own)

    def _enter(self, holder: dict[str, Json], name: str, place: _Place) -> _Place:
        """Return the place of a value in an object."""
        path = (*place.path, name.casefold())[-self._longest :]
        data = place.data and not _is_envelope(holder)
        own = place.own
        for field, shown in self._fields.items():
            if path[-len(field) :] == field and (
                data or len(field) > 1 or field[0] not in _FORMAT_FIELDS
            ):
                self._met.add(shown)
                own = True
        holds_data = name in _DATA_FIELDS or (name == "content" and isinstance(holder[name], dict))
        if name == "result" and "jsonrpc" in holder:
            holds_data = False
        return _Place(path, data or holds_data, own)


def _is_envelope(value: dict[str, Json]) -> bool:
    """Say whether an object is part of a format, and its own fields are the format's."""
    called = "name" in value and ("arguments" in value or "args" in value)
    return called or "jsonrpc" in value or is_message(value)


def _inner(value: Json) -> Json:
    """Return the object or list that a text holds as JSON; None where it holds none."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return parse(value)
    except UnusableError:
        return None


def _dumped(value: Json) -> str:
    # A mark stands for what was no JSON: it stays what no reader takes.
    return json.dumps(value, default=lambda mark: math.nan)
