"""Scopes: what an expression can see, frame by frame, and the objects that it can reach from there.

A frame is one call, or one item of a list of one call. Whatever is reachable is found once for all
frames together: a look-up is worth trying if most frames have what it looks for.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    at,
    identity,
    is_key_value,
    is_scalar,
    key_text,
    leaves,
)

UNKNOWN: Final[Any] = object()
"""What stands where a row was never read: neither a value nor the absence of one."""

MOST_HOPS = 3
"""How many look-ups an expression may chain (ours)."""

MOST_ROOTS = 48
"""How many objects are followed in one scope (ours)."""

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


class _Key(NamedTuple):
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
    _keys: dict[Path, "_Key"] = field(default_factory=dict, repr=False)
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
                kinds.setdefault(path, type(part))
        return {path: kinds[path] for path in sorted(counts) if counts[path] >= _OFTEN * len(known)}

    def key(self, path: Path) -> "_Key":
        """Return what stands at a path as keys to look up."""
        if path not in self._keys:
            column = self.column(path)
            self._keys[path] = _Key(column, frozenset(filter(is_key_value, column.values)))
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


RowOf = Callable[[Sample, str, str], Json]
"""The row of a table by key as a sample could see it, ABSENT if there is none, or UNKNOWN."""


@dataclass(eq=False)
class Scope:
    """Frames, and the values that expressions over them start from."""

    samples: tuple[Sample, ...]
    """The call that each frame belongs to."""
    given: tuple[Root, ...]
    inherited: tuple[Root, ...] = ()
    """What the scope around could reach."""
    row_of: RowOf = field(default=lambda sample, table, key: UNKNOWN, repr=False)
    tables: tuple[str, ...] = ()
    depth: int = 0
    least: float = 0.5
    """The share of frames that must have what a look-up looks for."""

    @cached_property
    def roots(self) -> tuple[Root, ...]:
        """Everything reachable, nearest first."""
        return (*self.inherited, *_Reach(self).found())

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """The task of each frame."""
        return tuple(sample.task for sample in self.samples)

    def columns(self, kinds: tuple[type, ...]) -> list[Column]:
        """Return the columns at paths of names whose values are of these types."""
        return [
            root.column(path)
            for root in self.roots
            for path, kind in root.places.items()
            if kind in kinds and (path or root.kind == "item")
        ]

    def lists(self) -> list[Column]:
        """Return the lists that walks go over: those at hand, not those of other rows."""
        return [
            root.column(path)
            for root in self.roots
            if root.kind != "reached"
            for path, kind in root.places.items()
            if kind is list and (path or root.kind == "item")
        ]

    def within(self, lists: Sequence[Values]) -> "Scope":
        """Return the scope of the items of lists that are walked together."""
        owners, items = [], []
        for frame, group in enumerate(zip(*lists, strict=True)):
            for parts in zip(*group, strict=True) if _all_lists(group) else ():
                owners.append(frame)
                items.append(parts)
        walked = drafts.WALKED if len(lists) > 1 else ("",)
        given = tuple(
            Root(_item_phrase(self.depth, name), tuple(i[number] for i in items), 0, "item")
            for number, name in enumerate(walked)
        )
        outer = tuple(
            Root(r.phrase, tuple(r.values[o] for o in owners), r.cost, r.kind, own=False)
            for r in self.roots
        )
        scope = Scope(
            tuple(self.samples[owner] for owner in owners),
            given,
            outer,
            self.row_of,
            self.tables,
            self.depth + 1,
            self.least,
        )
        scope.owners = tuple(owners)
        return scope

    def narrowed(self, frames: Sequence[int]) -> "Scope":
        """Return the scope of some of the frames; it reaches what this one reaches."""
        roots = tuple(
            Root(r.phrase, tuple(r.values[f] for f in frames), r.cost, r.kind, r.own)
            for r in self.roots
        )
        samples = tuple(self.samples[frame] for frame in frames)
        return Scope(samples, (), roots, self.row_of, (), self.depth, self.least)

    owners: tuple[int, ...] = ()
    """The frame of the scope around that each frame belongs to."""

    def once(self, name: str, find: Callable[["Scope"], list[Any]]) -> list[Any]:
        """Return what `find` finds in this scope; it is looked for once."""
        if name not in self._found:
            self._found[name] = find(self)
        return self._found[name]

    _found: dict[str, list[Any]] = field(default_factory=dict, repr=False)


def _all_lists(group: Sequence[Json]) -> bool:
    return all(isinstance(part, list) for part in group) and len({len(p) for p in group}) == 1


def open_scope(
    samples: Sequence[Sample], row_of: RowOf | None = None, tables: Sequence[str] = ()
) -> Scope:
    """Return the scope of calls: their arguments and their rows before."""
    arguments = tuple(sample.arguments for sample in samples)
    rows = tuple(UNKNOWN if s.before is None else s.before for s in samples)
    given = [Root(drafts.argument, arguments, 0, "arguments")]
    if any(row is not UNKNOWN for row in rows):
        given.append(Root(drafts.own_field, rows, 1, "row"))
    scope = Scope(tuple(samples), tuple(given), tables=tuple(sorted(tables)))
    if row_of is not None:
        scope.row_of = row_of
    return scope


class _Reach:
    """Follows keys to rows of tables, to members of mappings and to items of lists."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._seen: set[Hashable] = {_marks(root.values) for root in scope.inherited}
        self._all: list[Root] = list(scope.inherited)
        self._found: list[Root] = []

    def found(self) -> list[Root]:
        """Return the given roots and what they lead to."""
        level: list[Root] = []
        for root in self._scope.given:
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
            for table in self._scope.tables:
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
            else self._scope.row_of(sample, table, key_text(value))
            if is_key_value(value)
            else ABSENT
            for sample, value in zip(self._scope.samples, key.values, strict=True)
        )
        if self._there(values):
            yield Root(
                lambda path: drafts.looked_up(table, key.expr, path),
                values,
                key.cost + 3,
                "reached",
                key.varies,
            )

    def _members(self, root: Root, path: Path, key: _Key) -> Iterator[Root]:
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

    def _items(self, root: Root, path: Path, key: _Key) -> Iterator[Root]:
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
        enough = bool(there) and there >= self._scope.least * len(known)
        return enough and 4 * len(known) >= len(values)


def _finder(root: Root, path: Path, name: str, key: Column) -> Callable[[Path], Draft]:
    return lambda rest: drafts.first_with(root.phrase(path), name, key.expr, rest)


def _item_phrase(depth: int, walked: str) -> Callable[[Path], Draft]:
    return lambda path: drafts.item(depth, walked, path)


def _keys(roots: Sequence[Root]) -> list[_Key]:
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
    return next((i for i in items if isinstance(i, dict) and i.get(name) == key), ABSENT)


def _marks(values: Values) -> Hashable:
    # Rows and items are shared objects: the same ones on all frames are the same root.
    return tuple(
        id(v) if not is_scalar(v) or v in (UNKNOWN, ABSENT) else identity(v) for v in values
    )


def paths_to(value: Json, wanted: Hashable) -> list[Path]:
    """Return the places of a value inside another, nearest first."""
    if value is UNKNOWN or value is ABSENT:
        return []
    found = [leaf.path for leaf in leaves(value) if identity(leaf.value) == wanted]
    return sorted(found, key=lambda path: (len(path), repr(path)))
