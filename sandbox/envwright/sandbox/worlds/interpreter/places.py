"""Changes of a value at a path: copies of the containers along it, and nothing changed in place."""

from typing import Any

from envwright.events.canonical import Json
from envwright.sandbox.worlds.json_values import ABSENT, at, path_text
from envwright.sandbox.worlds.refusal import Absence, Refusal

Path = tuple[str | int, ...]


def placed(value: Json, path: Path, new: Json) -> Any:
    """Return `value` with `new` at a path; what is around the place must exist, an index too.

    Raises:
        Refusal: it does not.
    """
    return _placed(value, path, 0, new)


def removed(value: Json, path: Path) -> Any:
    """Return `value` without the field, entry or element at a path.

    Raises:
        Absence: there is none.
    """
    *around, step = path
    container = at(value, tuple(around))
    if at(container, (step,)) is ABSENT:
        raise Absence(f"Error: there is no {path_text(path)} to remove")
    if isinstance(container, list):
        rest: Json = [item for index, item in enumerate(container) if index != step]
    else:
        rest = {name: item for name, item in container.items() if name != step}
    return placed(value, tuple(around), rest) if around else rest


def _placed(value: Json, path: Path, done: int, new: Json) -> Any:
    step, more = path[done], done + 1 < len(path)
    old = at(value, (step,))
    if old is ABSENT and (more or not (isinstance(value, dict) and isinstance(step, str))):
        raise Refusal(f"Error: the row has no place for {path_text(path)}")
    inner = _placed(old, path, done + 1, new) if more else new
    if isinstance(value, list):
        return [inner if index == step else item for index, item in enumerate(value)]
    copy = {**value, step: inner}
    # Sorted keys keep rows canonical.
    return {name: copy[name] for name in sorted(copy)} if old is ABSENT else copy


def copying_cost(value: Json, path: Path) -> int:
    """Return the work of the copies along a path; an item copied is a small part of a step."""
    cost = 1
    for step in path:
        if not isinstance(value, dict | list):
            break
        cost += len(value) // 16
        value = at(value, (step,))
    return cost
