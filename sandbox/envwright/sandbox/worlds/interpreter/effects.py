"""The meaning of effects: rows of the transaction, changed one effect after another."""

from collections.abc import Callable, Iterable
from typing import Any

from envwright.events.canonical import Json
from envwright.sandbox.worlds.interpreter.arithmetic import add, rounded
from envwright.sandbox.worlds.interpreter.evaluation import evaluate, key_text, taken, turns
from envwright.sandbox.worlds.interpreter.frames import Frame
from envwright.sandbox.worlds.interpreter.places import copying_cost, placed, removed
from envwright.sandbox.worlds.interpreter.sources import entry_step
from envwright.sandbox.worlds.json_values import ABSENT, at
from envwright.sandbox.worlds.programs import (
    Add,
    Append,
    Computed,
    Delete,
    Each,
    Effect,
    Extend,
    Insert,
    Remove,
    SetTo,
    When,
)
from envwright.sandbox.worlds.programs.contracts import kind_of
from envwright.sandbox.worlds.programs.effects import InRow
from envwright.sandbox.worlds.refusal import Absence, Refusal

Path = tuple[str | int, ...]


def perform(effects: Iterable[Effect], frame: Frame) -> None:
    """Stage what effects write, in their order.

    Raises:
        Refusal: one of them cannot be done; the transaction is to be dropped.
    """
    for effect in effects:
        _EFFECTS[type(effect)](effect, frame)


def _set(effect: SetTo, frame: Frame) -> None:
    def value(found: Json) -> Json:
        return evaluate(effect.value, frame._replace(current=found))

    _change(effect, frame, value)


def _append(effect: Append, frame: Frame) -> None:
    _change(effect, frame, lambda found: [*_items(found, frame), evaluate(effect.value, frame)])


def _extend(effect: Extend, frame: Frame) -> None:
    def value(found: Json) -> Json:
        values = taken(effect, "values", frame)
        frame.transaction.spend(len(values))
        return [*_items(found, frame), *values]

    _change(effect, frame, value)


def _add(effect: Add, frame: Frame) -> None:
    def value(found: Json) -> Json:
        if found is not ABSENT and kind_of(found) != "number":
            raise Refusal(f"Error: `add` adds to a number, not to {found!r:.80}")
        total = add(0 if found is ABSENT else found, taken(effect, "value", frame))
        return total if effect.digits is None else rounded(total, effect.digits)

    _change(effect, frame, value)


def _remove(effect: Remove, frame: Frame) -> None:
    key, row = _row(effect, frame)
    path = _path(effect, row, frame)
    frame.transaction.spend(copying_cost(row, path))
    frame.transaction.stage(effect.table, key, removed(row, path))


def _insert(effect: Insert, frame: Frame) -> None:
    key = key_text(evaluate(effect.key, frame))
    if frame.transaction.now(effect.table, key) is not None:
        raise Refusal(f"Error: there is a {key:.80} in {effect.table:.80} already")
    frame.transaction.stage(effect.table, key, taken(effect, "row", frame))


def _delete(effect: Delete, frame: Frame) -> None:
    key, _ = _row(effect, frame)
    frame.transaction.stage(effect.table, key, None)


def _each(effect: Each, frame: Frame) -> None:
    for _, inner in turns(effect, taken(effect, "of", frame), frame):
        perform(effect.effects, inner)


def _when(effect: When, frame: Frame) -> None:
    perform(effect.then if taken(effect, "holds", frame) else effect.otherwise, frame)


def _change(effect: InRow, frame: Frame, value: Callable[[Json], Json]) -> None:
    key, row = _row(effect, frame)
    path = _path(effect, row, frame)
    new = placed(row, path, value(at(row, path)))
    frame.transaction.spend(copying_cost(row, path))
    frame.transaction.stage(effect.table, key, new)


def _row(effect: InRow | Delete, frame: Frame) -> tuple[str, dict[str, Json]]:
    key = key_text(evaluate(effect.key, frame))
    row = frame.transaction.now(effect.table, key)
    if row is None:
        raise Absence(f"Error: there is no {key:.80} in {effect.table:.80}")
    return key, row


def _path(effect: InRow, row: Json, frame: Frame) -> Path:
    path: list[str | int] = []
    for step in effect.path:
        if isinstance(step, Computed):
            step = entry_step(at(row, tuple(path)), evaluate(step.expr, frame))
        path.append(step)
    return tuple(path)


def _items(found: Json, frame: Frame) -> list[Json]:
    if not isinstance(found, list):
        raise Refusal("Error: there is no list to add to")
    frame.transaction.spend(len(found) // 16)
    return found


_EFFECTS: dict[type, Callable[[Any, Frame], None]] = {
    SetTo: _set,
    Append: _append,
    Extend: _extend,
    Add: _add,
    Remove: _remove,
    Insert: _insert,
    Delete: _delete,
    Each: _each,
    When: _when,
}
