"""Differences between two states: what changed, where, from what to what."""

from collections.abc import Iterator
from typing import Any, Literal

from envwright.events.canonical import Json, equal
from envwright.events.values import Value

Path = tuple[str | int, ...]


class Change(Value):
    """One difference, at the deepest path that tells it.

    What exists on both sides is followed down to its leaves; what exists on one side only is one
    change with the whole value, so that a new row is one change and not one for each field.
    """

    path: Path
    kind: Literal["changed", "added", "removed"]
    before: Any = None
    """The value before; null where there was none."""
    after: Any = None
    """The value after; null where there is none."""


def diff(before: Json, after: Json) -> tuple[Change, ...]:
    """Return the changes that lead from `before` to `after`, in the order of paths.

    Numbers are compared by value and texts in NFC. Lists are compared index by index.
    """
    return tuple(_changes((), before, after))


def _changes(path: Path, before: Json, after: Json) -> Iterator[Change]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _members(path, before, after)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _members(path, dict(enumerate(before)), dict(enumerate(after)))
    elif not _same(before, after):
        yield Change(path=path, kind="changed", before=before, after=after)


def _members(path: Path, before: dict[Any, Json], after: dict[Any, Json]) -> Iterator[Change]:
    for step in sorted(before.keys() | after.keys()):
        place = (*path, step)
        if step not in before:
            yield Change(path=place, kind="added", after=after[step])
        elif step not in after:
            yield Change(path=place, kind="removed", before=before[step])
        else:
            yield from _changes(place, before[step], after[step])


def _same(before: Json, after: Json) -> bool:
    # Most leaves of two states are the same text or number; only the others need canonical forms.
    return (type(before) is type(after) and before == after) or equal(before, after)
