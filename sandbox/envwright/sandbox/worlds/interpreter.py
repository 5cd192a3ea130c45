"""The interpreter of programs: a table with one function per primitive, and no other code to run.

Rows are never changed in place and nothing is written before the program is through: a call that is
refused half-way leaves no trace.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from envwright.events.canonical import Json
from envwright.sandbox.worlds.json_values import (
    ABSENT,
    at,
    exceeds_bounds,
    identity,
    order_key,
    path_text,
)
from envwright.sandbox.worlds.programs import (
    Argument,
    Const,
    Constant,
    Create,
    Expr,
    FieldOf,
    Find,
    KeyOf,
    ListOf,
    Lookup,
    ObjectOf,
    Program,
    RowAfter,
    SortedOf,
    Update,
)
from envwright.sandbox.worlds.refusal import Refusal
from envwright.sandbox.worlds.rows import Row, Table
from envwright.sandbox.worlds.world import Footprint

Path = tuple[str | int, ...]


class Frame(NamedTuple):
    """What the expressions of one call see; none asks for a part that its slot does not offer."""

    arguments: dict[str, Json]
    key: str = ""
    before: Json = None
    after: Json = None


class Write(NamedTuple):
    """A row to put in place, once the program is through."""

    table: str
    key: str
    row: Row


class Outcome(NamedTuple):
    """What a program gave: its value (which may share parts with rows), and what it touched."""

    value: Json
    reads: tuple[Footprint, ...] = ()
    write: Write | None = None


def evaluate(expr: Expr, frame: Frame) -> Json:
    """Return the value of an expression.

    Raises:
        Refusal: a field is absent, or what is to be sorted is no list.
    """
    return _EXPRESSIONS[type(expr)](expr, frame)


def execute(program: Program, arguments: dict[str, Json], tables: Mapping[str, Table]) -> Outcome:
    """Return what a program gives and would write, for arguments that fit the tool's schema.

    Raises:
        Refusal: with the error text of the call.
    """
    return _PROGRAMS[type(program)](program, Frame(arguments), tables)


def _const(expr: Const, frame: Frame) -> Json:
    return expr.value


def _argument(expr: Argument, frame: Frame) -> Json:
    value = at(frame.arguments, expr.path)
    return None if value is ABSENT else value


def _field(expr: FieldOf, frame: Frame) -> Json:
    value = at(frame.before, expr.path)
    if value is ABSENT:
        raise Refusal(f"Error: {frame.key} has no {path_text(expr.path)}")
    return value


def _object(expr: ObjectOf, frame: Frame) -> Json:
    return {name: evaluate(expr.fields[name], frame) for name in sorted(expr.fields)}


def _list(expr: ListOf, frame: Frame) -> Json:
    return [evaluate(item, frame) for item in expr.items]


def _sorted(expr: SortedOf, frame: Frame) -> Json:
    value = evaluate(expr.of, frame)
    if not isinstance(value, list):
        raise Refusal(f"Error: only a list can be sorted, not {value!r:.80}")
    return sorted(value, key=order_key)


def _row(expr: RowAfter, frame: Frame) -> Json:
    return frame.after


def _key(expr: KeyOf, frame: Frame) -> Json:
    return frame.key


def _lookup(program: Lookup, frame: Frame, tables: Mapping[str, Table]) -> Outcome:
    key = _key_text(program.key, frame)
    row = _existing(tables[program.table], key, program.missing)
    return _read(program, frame, key, row)


def _find(program: Find, frame: Frame, tables: Mapping[str, Table]) -> Outcome:
    wanted = tuple((c.path, evaluate(c.equals, frame)) for c in program.where)
    found = tables[program.table].find(wanted)
    if found is None:
        raise Refusal(program.missing)
    return _read(program, frame, *found)


def _update(program: Update, frame: Frame, tables: Mapping[str, Table]) -> Outcome:
    key = _key_text(program.key, frame)
    before = _existing(tables[program.table], key, program.missing)
    for guard in program.guards:
        found = at(before, guard.path)
        if found is ABSENT or identity(found) not in map(identity, guard.within):
            raise Refusal(guard.error)
    frame = Frame(frame.arguments, key, before)
    row: Row = before
    for assignment in program.set:
        row = _placed(row, assignment.path, evaluate(assignment.value, frame))
    for assignment in program.append:
        items = at(row, assignment.path)
        if not isinstance(items, list):
            raise Refusal(f"Error: {key} has no list {path_text(assignment.path)}")
        row = _placed(row, assignment.path, [*items, evaluate(assignment.value, frame)])
    return _written(program, frame, row, reads=True)


def _create(program: Create, frame: Frame, tables: Mapping[str, Table]) -> Outcome:
    key = _key_text(program.key, frame)
    if tables[program.table].get(key) is not None:
        raise Refusal(program.exists)
    frame = Frame(frame.arguments, key)
    row = evaluate(program.row, frame)
    if not isinstance(row, dict):
        raise Refusal(f"Error: a row must be an object, not {row!r:.80}")
    return _written(program, frame, row, reads=False)


def _constant(program: Constant, frame: Frame, tables: Mapping[str, Table]) -> Outcome:
    return Outcome(program.value)


def _read(program: Lookup | Find, frame: Frame, key: str, row: Row) -> Outcome:
    value = evaluate(program.returns, Frame(frame.arguments, key, row, row))
    return Outcome(value, reads=(Footprint(kind=program.table, key=key),))


def _written(program: Update | Create, frame: Frame, row: Row, *, reads: bool) -> Outcome:
    excess = exceeds_bounds(row)
    if excess:
        raise Refusal(f"Error: {frame.key} cannot be written: it {excess}")
    value = evaluate(program.returns, frame._replace(after=row))
    footprints = (Footprint(kind=program.table, key=frame.key),) if reads else ()
    return Outcome(value, footprints, Write(program.table, frame.key, row))


def _key_text(expr: Expr, frame: Frame) -> str:
    key = evaluate(expr, frame)
    if isinstance(key, str):
        return key
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    raise Refusal(f"Error: a key is a text or a whole number, not {key!r:.80}")


def _existing(table: Table, key: str, missing: str) -> Row:
    row = table.get(key)
    if row is None:
        raise Refusal(missing)
    return row


def _placed(value: Json, path: Path, new: Json) -> Any:
    """Return a copy of the containers along `path` with `new` at its end."""
    step, rest = path[0], path[1:]
    old = at(value, (step,))
    if old is ABSENT and (rest or not (isinstance(value, dict) and isinstance(step, str))):
        raise Refusal(f"Error: the row has no place for {path_text(path)}")
    placed = _placed(old, rest, new) if rest else new
    if isinstance(value, list):
        return [placed if index == step else item for index, item in enumerate(value)]
    copy = {**value, step: placed}
    # Sorted keys keep rows canonical.
    return {name: copy[name] for name in sorted(copy)} if old is ABSENT else copy


_EXPRESSIONS: dict[type, Callable[[Any, Frame], Json]] = {
    Const: _const,
    Argument: _argument,
    FieldOf: _field,
    ObjectOf: _object,
    ListOf: _list,
    SortedOf: _sorted,
    RowAfter: _row,
    KeyOf: _key,
}

_PROGRAMS: dict[type, Callable[[Any, Frame, Mapping[str, Table]], Outcome]] = {
    Lookup: _lookup,
    Find: _find,
    Update: _update,
    Create: _create,
    Constant: _constant,
}
