"""The meaning of expressions that read."""

from typing import Any

from envwright.events.canonical import Json
from envwright.sandbox.worlds.interpreter.evaluation import (
    evaluate,
    inside,
    key_text,
    rule,
    taken,
)
from envwright.sandbox.worlds.interpreter.frames import Frame
from envwright.sandbox.worlds.json_values import ABSENT, at
from envwright.sandbox.worlds.programs import (
    AfterOf,
    Argument,
    Clock,
    Const,
    Current,
    Element,
    EntryOf,
    FieldOf,
    KeyOf,
    OfRow,
    Ordinal,
    RowAfter,
    Variable,
)
from envwright.sandbox.worlds.programs.contracts import ELEMENT
from envwright.sandbox.worlds.refusal import Absence
from envwright.sandbox.worlds.rows import Row

_CLOCK_FORMS = {"utc": slice(None), "naive": slice(-1), "date": slice(10)}


@rule(Const)
def _const(expr: Const, frame: Frame) -> Json:
    return expr.value


@rule(Argument)
def _argument(expr: Argument, frame: Frame) -> Json:
    value = at(frame.arguments, expr.path)
    return None if value is ABSENT else value


@rule(FieldOf)
def _field(expr: FieldOf, frame: Frame) -> Json:
    return inside(frame.before, expr.path, frame.key)


@rule(RowAfter)
def _row(expr: RowAfter, frame: Frame) -> Json:
    return frame.after


@rule(KeyOf)
def _key(expr: KeyOf, frame: Frame) -> Json:
    return frame.key


@rule(OfRow)
def _of_row(expr: OfRow, frame: Frame) -> Json:
    key = key_text(evaluate(expr.key, frame))
    return _in_row(expr, key, frame.transaction.row(expr.table, key))


@rule(AfterOf)
def _after(expr: AfterOf, frame: Frame) -> Json:
    key = key_text(evaluate(expr.key, frame))
    return _in_row(expr, key, frame.transaction.now(expr.table, key))


def _in_row(expr: OfRow | AfterOf, key: str, row: Row | None) -> Json:
    if row is None:
        raise Absence(f"Error: there is no {key:.80} in {expr.table:.80}")
    return inside(row, expr.path, key)


@rule(Variable)
def _variable(expr: Variable, frame: Frame) -> Json:
    return inside(frame.names[expr.name], expr.path, expr.name)


@rule(Element)
def _element(expr: Element, frame: Frame) -> Json:
    return inside(frame.names[ELEMENT], expr.path, "an element")


@rule(Current)
def _current(expr: Current, frame: Frame) -> Json:
    if frame.current is ABSENT:
        raise Absence("Error: nothing is there yet")
    return frame.current


@rule(EntryOf)
def _entry(expr: EntryOf, frame: Frame) -> Json:
    container = taken(expr, "of", frame)
    step = entry_step(container, evaluate(expr.key, frame))
    return inside(container, (step, *expr.path), "the value")


def entry_step(container: Json, key: Any) -> str | int:
    """Return a computed key as a step into a container: an index of a list, or a name."""
    if isinstance(container, list) and isinstance(key, int) and not isinstance(key, bool):
        if key < 0:
            raise Absence(f"Error: a list has no element {key}; the first one is 0")
        return key
    return key_text(key)


@rule(Clock)
def _clock(expr: Clock, frame: Frame) -> Json:
    return frame.transaction.circumstances.clock[_CLOCK_FORMS[expr.form]]


@rule(Ordinal)
def _ordinal(expr: Ordinal, frame: Frame) -> Json:
    return frame.transaction.ordinal(expr.counter)
