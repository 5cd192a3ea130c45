"""Scopes: what an expression can see, frame by frame; a frame is a call or an item of its list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.reach import LookUp, Reach, RowOf
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column, Root, Values
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.values import Path


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
        return (*self.inherited, *self._reach().found(self.given))

    def _reach(self) -> Reach:
        look_up = LookUp(self.samples, self.tables, self.row_of)
        return Reach(self.inherited, look_up, self.least)

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


def _item_phrase(depth: int, walked: str) -> Callable[[Path], Draft]:
    return lambda path: drafts.item(depth, walked, path)
