"""Roots: the values that expressions start from, frame by frame, and the columns inside them."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.values import ABSENT, Path, at, is_key_value

UNKNOWN: Final[Any] = object()
"""What stands where a row was never read: neither a value nor the absence of one."""

_DEEPEST = 3
_PROBED = 40
_OFTEN = 0.15

Values = tuple[Json, ...]


class Column(NamedTuple):
    """An expression and what it gives on every frame."""

    expr: Draft
    values: Values
    cost: int
    name: str = ""
    """The last field that it names."""
    varies: bool = True
    """Whether it depends on the innermost item."""


class Key(NamedTuple):
    """Keys per frame, and which there are."""

    column: Column
    distinct: frozenset[Json]


@dataclass(frozen=True, eq=False)
class Root:
    """A value per frame that paths lead into."""

    phrase: Callable[[Path], Draft]
    values: Values
    cost: int
    kind: str
    """`arguments`, `row`, `item` or `reached`."""
    own: bool = True
    """Whether it depends on the innermost item."""
    columns: dict[Path, Column] = field(default_factory=dict, repr=False)
    """Those that were asked for, by path."""
    _keys: dict[Path, "Key"] = field(default_factory=dict, repr=False)
    _names: dict[tuple[Path, str], frozenset[Json]] = field(default_factory=dict, repr=False)

    @cached_property
    def places(self) -> dict[Path, type]:
        """What stands at paths of names that several of the first frames have, by its type."""
        counts: Counter[Path] = Counter()
        kinds: dict[Path, type] = {}
        known = [v for v in self.values if v is not UNKNOWN and v is not ABSENT][:_PROBED]
        for value in known:
            for path, part in _named_places(value, ()):
                counts[path] += 1
                if kinds.get(path, type(None)) is type(None):
                    # A field that may be empty is of the type that it has where it is not.
                    kinds[path] = type(part)
        return {path: kinds[path] for path in sorted(counts) if counts[path] >= _OFTEN * len(known)}

    def key(self, path: Path) -> "Key":
        """Return what stands at a path as keys to look up."""
        if path not in self._keys:
            column = self.column(path)
            self._keys[path] = Key(column, frozenset(filter(is_key_value, column.values)))
        return self._keys[path]

    def names(self, path: Path, name: str) -> frozenset[Json]:
        """Return the names in mappings at a path, or the values of a field of listed items."""
        if (path, name) not in self._names:
            self._names[path, name] = frozenset(_names(self.column(path).values, name))
        return self._names[path, name]

    def column(self, path: Path) -> Column:
        """Return what stands at a path on every frame."""
        if path not in self.columns:
            self.columns[path] = self._column(path)
        return self.columns[path]

    def _column(self, path: Path) -> Column:
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        values = tuple(taken(value, path) for value in self.values)
        return Column(self.phrase(path), values, self.cost + len(path), name, self.own)


def _names(values: Values, name: str) -> Iterator[Json]:
    for value in values:
        if isinstance(value, dict):
            yield from value
        elif isinstance(value, list):
            found = (item.get(name) for item in value if isinstance(item, dict))
            yield from filter(is_key_value, found)


def taken(value: Json, path: Path) -> Json:
    """Return what is at a path, ABSENT, or UNKNOWN inside what is unknown."""
    return UNKNOWN if value is UNKNOWN else at(value, path)


def _named_places(value: Json, path: Path) -> Iterator[tuple[Path, Json]]:
    yield path, value
    if isinstance(value, dict) and len(path) < _DEEPEST:
        for name in sorted(value):
            yield from _named_places(value[name], (*path, name))
