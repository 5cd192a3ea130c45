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
from envwright.recipes.toolspace.induction import phrasing
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
from envwright.sandbox.worlds import Argument, Expr, FieldOf

UNKNOWN: Final[Any] = object()
"""What stands where a row was never read: neither a value nor the absence of one."""

MOST_HOPS = 3
"""How many look-ups an expression may chain (ours)."""

MOST_ROOTS = 48
"""How many objects are followed in one scope (ours)."""

_DEEPEST = 3
_PROBED = 12

Values = tuple[Json, ...]


class Column(NamedTuple):
    """An expression and what it gives on every frame."""

    expr: Expr
    values: Values
    cost: int
    name: str = ""
    """The last field that it names."""
    varies: bool = True
    """Whether it depends on the innermost item."""


@dataclass(frozen=True, eq=False)
class Root:
    """A value per frame that paths lead into."""

    phrase: Callable[[Path], Expr]
    values: Values
    cost: int
    kind: str
    """`arguments`, `row`, `item` or `reached`."""
    own: bool = True
    """Whether it depends on the innermost item."""

    @cached_property
    def places(self) -> dict[Path, type]:
        """What stands at paths of names in half of the first frames or more, by its type."""
        counts: Counter[Path] = Counter()
        kinds: dict[Path, type] = {}
        known = [v for v in self.values if v is not UNKNOWN and v is not ABSENT][:_PROBED]
        for value in known:
            for path, part in _named_places(value, ()):
                counts[path] += 1
                kinds.setdefault(path, type(part))
        return {path: kinds[path] for path in sorted(counts) if 2 * counts[path] >= len(known)}

    def column(self, path: Path) -> Column:
        """Return what stands at a path on every frame."""
        name = next((step for step in reversed(path) if isinstance(step, str)), "")
        values = tuple(taken(value, path) for value in self.values)
        return Column(self.phrase(path), values, self.cost + len(path), name, self.own)


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

    def within(self, lists: Sequence[Values]) -> "Scope":
        """Return the scope of the items of lists that are walked together."""
        owners, items = [], []
        for frame, group in enumerate(zip(*lists, strict=True)):
            for parts in zip(*group, strict=True) if _all_lists(group) else ():
                owners.append(frame)
                items.append(parts)
        given = tuple(
            Root(phrasing.item(self.depth, number), tuple(i[number] for i in items), 0, "item")
            for number in range(len(lists))
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
        )
        scope.owners = tuple(owners)
        return scope

    owners: tuple[int, ...] = ()
    """The frame of the scope around that each frame belongs to."""


def _all_lists(group: Sequence[Json]) -> bool:
    return all(isinstance(part, list) for part in group) and len({len(p) for p in group}) == 1


def open_scope(
    samples: Sequence[Sample], row_of: RowOf | None = None, tables: Sequence[str] = ()
) -> Scope:
    """Return the scope of calls: their arguments and their rows before."""
    arguments = tuple(sample.arguments for sample in samples)
    rows = tuple(UNKNOWN if s.before is None else s.before for s in samples)
    given = [Root(lambda path: Argument(path=path), arguments, 0, "arguments")]
    if any(row is not UNKNOWN for row in rows):
        given.append(Root(lambda path: FieldOf(path=path), rows, 1, "row"))
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
                yield from self._rows(table, key)
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
            UNKNOWN if value is UNKNOWN else self._scope.row_of(sample, table, key_text(value))
            if is_key_value(value)
            else ABSENT
            for sample, value in zip(self._scope.samples, key.values, strict=True)
        )
        if _mostly_there(values):
            yield Root(
                lambda path: phrasing.look_up(table, key.expr, path),
                values,
                key.cost + 3,
                "reached",
                key.varies,
            )

    def _members(self, root: Root, path: Path, key: Column) -> Iterator[Root]:
        held = [taken(value, path) for value in root.values]
        values = tuple(map(_member, held, key.values))
        if _mostly_there(values):
            yield Root(
                lambda rest: phrasing.member(root.phrase(path), key.expr, rest),
                values,
                root.cost + key.cost + 2,
                "reached",
                root.own or key.varies,
            )

    def _items(self, root: Root, path: Path, key: Column) -> Iterator[Root]:
        held = [taken(value, path) for value in root.values]
        first = next((v[0] for v in held if isinstance(v, list) and v), None)
        if not isinstance(first, dict):
            return
        for name in sorted(first):
            if not is_key_value(first[name]):
                continue
            values = tuple(_item(items, name, k) for items, k in zip(held, key.values, strict=True))
            if _mostly_there(values):
                yield Root(
                    _finder(root, path, name, key),
                    values,
                    root.cost + key.cost + 3,
                    "reached",
                    root.own or key.varies,
                )


def _finder(root: Root, path: Path, name: str, key: Column) -> Callable[[Path], Expr]:
    return lambda rest: phrasing.find(root.phrase(path), name, key.expr, rest)


def _keys(roots: Sequence[Root]) -> list[Column]:
    return [
        root.column(path)
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


def _mostly_there(values: Values) -> bool:
    known = [value for value in values if value is not UNKNOWN]
    there = sum(value is not ABSENT for value in known)
    return bool(known) and 2 * there >= len(known) and 4 * len(known) >= len(values)


def _marks(values: Values) -> Hashable:
    # Rows and items are shared objects: the same ones on all frames are the same root.
    return tuple(id(v) if not is_scalar(v) or v in (UNKNOWN, ABSENT) else identity(v) for v in values)


def paths_to(value: Json, wanted: Hashable) -> list[Path]:
    """Return the places of a value inside another, nearest first."""
    if value is UNKNOWN or value is ABSENT:
        return []
    found = [leaf.path for leaf in leaves(value) if identity(leaf.value) == wanted]
    return sorted(found, key=lambda path: (len(path), repr(path)))
