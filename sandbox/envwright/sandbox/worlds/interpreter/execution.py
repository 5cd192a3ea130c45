"""The meaning of programs: from the arguments of a call to its result and what it would write.

Nothing is written before a program is through: a call that is refused half-way leaves no trace.
"""

from collections.abc import Callable, Mapping
from typing import Any

from envwright.events.canonical import Json
from envwright.sandbox.worlds.interpreter.effects import perform
from envwright.sandbox.worlds.interpreter.evaluation import evaluate, key_text, taken, turns
from envwright.sandbox.worlds.interpreter.frames import Frame, Transaction
from envwright.sandbox.worlds.interpreter.places import placed
from envwright.sandbox.worlds.json_values import (
    ABSENT,
    at,
    exceeds_bounds,
    identity,
    path_text,
)
from envwright.sandbox.worlds.programs import (
    Argument,
    Const,
    Constant,
    Create,
    FieldOf,
    Find,
    Let,
    Lookup,
    OfRow,
    Procedure,
    Program,
    Require,
    Search,
    Update,
    Variable,
)
from envwright.sandbox.worlds.refusal import Refusal
from envwright.sandbox.worlds.rows import Match, Row

LONGEST_ERROR = 900
"""Characters of an error text that a program makes; the rest is cut off."""

_TAKEN_AS_THEY_ARE = Const | Argument | FieldOf | OfRow | Variable


def execute(program: Program, arguments: Mapping[str, Json], transaction: Transaction) -> Json:
    """Return what a program gives, for arguments that fit the tool's schema.

    The value may share parts with rows. What was read, counted and is to be written stands in the
    transaction.

    Raises:
        Refusal: with the error text of the call; the transaction is to be dropped.
    """
    value = _PROGRAMS[type(program)](program, Frame(arguments, transaction))
    # Only loops make more of rows than there is.
    if transaction.left < transaction.limits.work:
        excess = exceeds_bounds(value)
        if excess:
            raise Refusal(f"Error: the result {excess}; ask for less at once")
    return value


def _lookup(program: Lookup, frame: Frame) -> Json:
    key = key_text(evaluate(program.key, frame))
    return _returned(program, key, _existing(program, key, frame), frame)


def _find(program: Find, frame: Frame) -> Json:
    found = frame.transaction.tables[program.table].find(_wanted(program, frame))
    if found is None:
        raise Refusal(program.missing)
    key, row = found
    frame.transaction.reads[program.table, key] = None
    return _returned(program, key, row, frame)


def _search(program: Search, frame: Frame) -> Json:
    results = []
    for key, row in frame.transaction.matching(program.table, _wanted(program, frame)):
        frame.transaction.spend(program.size)
        results.append(_returned(program, key, row, frame))
    return results


def _wanted(program: Find | Search, frame: Frame) -> tuple[Match, ...]:
    return tuple((c.path, evaluate(c.equals, frame)) for c in program.where)


def _update(program: Update, frame: Frame) -> Json:
    key = key_text(evaluate(program.key, frame))
    before = _existing(program, key, frame)
    for guard in program.guards:
        found = at(before, guard.path)
        if found is ABSENT or identity(found) not in map(identity, guard.within):
            raise Refusal(guard.error)
    frame = Frame(frame.arguments, frame.transaction, key, before)
    row: Row = before
    for assignment in program.set:
        row = placed(row, assignment.path, evaluate(assignment.value, frame))
    for assignment in program.append:
        items = at(row, assignment.path)
        if not isinstance(items, list):
            raise Refusal(f"Error: {key} has no list {path_text(assignment.path)}")
        new = [*items, evaluate(assignment.value, frame)]
        row = placed(row, assignment.path, new)
    return _written(program, frame, row)


def _create(program: Create, frame: Frame) -> Json:
    key = key_text(evaluate(program.key, frame))
    if frame.transaction.tables[program.table].get(key) is not None:
        raise Refusal(program.exists)
    frame = Frame(frame.arguments, frame.transaction, key)
    row = evaluate(program.row, frame)
    if not isinstance(row, dict):
        raise Refusal(f"Error: a row must be an object, not {row!r:.80}")
    return _written(program, frame, row)


def _procedure(program: Procedure, frame: Frame) -> Json:
    frame.transaction.spend(program.size)
    names: dict[str, Json] = {}
    frame = frame._replace(names=names)
    for step in program.steps:
        if isinstance(step, Let):
            names[step.name] = _bounded(step, evaluate(step.value, frame))
        else:
            _require(step, frame)
    perform(program.effects, frame)
    for (_, key), row in frame.transaction.staged.items():
        _check_row(key, row)
    return evaluate(program.returns, frame)


def _bounded(step: Let, value: Json) -> Json:
    # A value that is built from others may double at each step; what is read is bounded already.
    if not isinstance(step.value, _TAKEN_AS_THEY_ARE) and isinstance(value, dict | list):
        excess = exceeds_bounds(value)
        if excess:
            raise Refusal(f"Error: {step.name} {excess}")
    return value


def _require(step: Require, frame: Frame) -> None:
    if step.of is None:
        if not taken(step, "holds", frame):
            raise Refusal(_error(step, frame))
        return
    for _, inner in turns(step, taken(step, "of", frame), frame):
        if not taken(step, "holds", inner):
            raise Refusal(_error(step, inner))


def _error(step: Require, frame: Frame) -> str:
    text = step.error if isinstance(step.error, str) else str(taken(step, "error", frame))
    return text if len(text) <= LONGEST_ERROR else f"{text[:LONGEST_ERROR]}…"


def _constant(program: Constant, frame: Frame) -> Json:
    return program.value


def _existing(program: Lookup | Update, key: str, frame: Frame) -> Row:
    row = frame.transaction.row(program.table, key)
    if row is None:
        raise Refusal(program.missing)
    return row


def _returned(program: Lookup | Find | Search, key: str, row: Row, frame: Frame) -> Json:
    return evaluate(program.returns, Frame(frame.arguments, frame.transaction, key, row, row))


def _written(program: Update | Create, frame: Frame, row: Row) -> Json:
    _check_row(frame.key, row)
    frame.transaction.stage(program.table, frame.key, row)
    after = Frame(frame.arguments, frame.transaction, frame.key, frame.before, row)
    return evaluate(program.returns, after)


def _check_row(key: str, row: Row | None) -> None:
    excess = exceeds_bounds(row)
    if excess:
        raise Refusal(f"Error: {key} cannot be written: it {excess}")


_PROGRAMS: dict[type, Callable[[Any, Frame], Json]] = {
    Lookup: _lookup,
    Find: _find,
    Search: _search,
    Update: _update,
    Create: _create,
    Procedure: _procedure,
    Constant: _constant,
}
