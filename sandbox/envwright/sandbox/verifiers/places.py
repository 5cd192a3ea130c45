"""Places in a state: finding one, leaving some out, and the digest of what remains."""

from collections.abc import Sequence
from typing import Final

from envwright.events import Json, digest
from envwright.sandbox.packages import StatePath


class _Nothing:
    """The type of `NOTHING`."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING: Final = _Nothing()
"""What is found at a place that a state does not have; null is something."""


def find(state: Json, path: StatePath) -> Json:
    """Return the value at `path`, or `NOTHING`."""
    value = state
    for step in path:
        value = _child(value, step)
    return value


def without(part: Json, paths: Sequence[StatePath]) -> Json:
    """Return `part` without the places at `paths`; only what lies on a path is copied."""
    below: dict[str | int, list[StatePath]] = {}
    for path in paths:
        below.setdefault(path[0], []).append(path[1:])
    gone = {step for step, rests in below.items() if () in rests}

    def keep(step: str | int, value: Json) -> Json:
        return without(value, below[step]) if step in below else value

    if not below:
        return part
    if isinstance(part, dict):
        return {name: keep(name, item) for name, item in part.items() if name not in gone}
    if isinstance(part, list):
        return [keep(index, item) for index, item in enumerate(part) if index not in gone]
    return part


def frame_digest(state: Json, path: StatePath, excepted: Sequence[StatePath] = ()) -> str:
    """Return the digest that a frame assertion at `path` pins; a missing place is null."""
    part = find(state, path)
    return digest(None if part is NOTHING else without(part, excepted))


def same(left: Json, right: Json) -> bool:
    """Say whether two values are surely one value; what they share is not looked into.

    False says nothing: 1 and 1.0 are one value and have to be told by their digests.
    """
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return len(left) == len(right) and all(
            name in right and same(item, right[name]) for name, item in left.items()
        )
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def _child(value: Json, step: str | int) -> Json:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step, NOTHING)
    if isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
        return value[step]
    return NOTHING
