"""A naive second implementation of the program language, to compare the interpreter with.

It works on the JSON of programs and copies the whole state at each call. It shares no code with the
interpreter but what equality of values is, and knows nothing of shared tables, indexes, classes,
staging or limits.
"""

import copy
from typing import Any

from envwright.events import normalise
from support.naive_expressions import (
    Absent,
    Refused,
    computed_step,
    follow,
    has,
    key_text,
    kind,
    matching,
    of_kind,
    put,
    truth,
    turns_of,
    value_of,
)

__all__ = ["Absent", "Refused", "naive_call"]


def naive_call(program: Any, arguments: Any, world: Any) -> tuple[Any, Any]:
    """Return the result of a call and the world after it, or raise Refused.

    A world is `{"tables": {table: {key: row}}, "clock", "counters"}`.
    """
    program, arguments, after = (normalise(value) for value in (program, arguments, world))
    seen = {"arguments": arguments, "world": copy.deepcopy(after), "names": {}, "numbers": {}}
    result = _RUN[program["op"]](program, seen, after["tables"])
    after["counters"].update(seen["numbers"])
    return normalise(copy.deepcopy(result)), normalise(after)


def _constant(program: Any, seen: Any, tables: Any) -> Any:
    return program["value"]


def _lookup(program: Any, seen: Any, tables: Any) -> Any:
    key, row = _existing(program, seen, tables)
    return value_of(program["returns"], {**seen, "key": key, "before": row, "after": row})


def _find(program: Any, seen: Any, tables: Any) -> Any:
    results = _search(program, seen, tables, only_first=True)
    if not results:
        raise Refused(program["missing"])
    return results[0]


def _search(program: Any, seen: Any, tables: Any, only_first: bool = False) -> Any:
    rows = matching(program, seen)
    results = []
    for key, row in rows[: 1 if only_first else None]:
        at_row = {**seen, "key": key, "before": row, "after": row}
        results.append(value_of(program["returns"], at_row))
    return results


def _existing(program: Any, seen: Any, tables: Any) -> tuple[str, Any]:
    key = key_text(value_of(program["key"], seen))
    if key not in tables[program["table"]]:
        raise Refused(program["missing"])
    return key, copy.deepcopy(tables[program["table"]][key])


def _create(program: Any, seen: Any, tables: Any) -> Any:
    key = key_text(value_of(program["key"], seen))
    rows = tables[program["table"]]
    if key in rows:
        raise Refused(program["exists"])
    rows[key] = copy.deepcopy(value_of(program["row"], {**seen, "key": key}))
    if not isinstance(rows[key], dict):
        raise Refused
    return value_of(program["returns"], {**seen, "key": key, "after": rows[key]})


def _update(program: Any, seen: Any, tables: Any) -> Any:
    key, before = _existing(program, seen, tables)
    seen = {**seen, "key": key, "before": before}
    row = tables[program["table"]][key]
    for guard in program["guards"]:
        if not any(has(row, guard["path"], value) for value in guard["within"]):
            raise Refused(guard["error"])
    for assignment in program["set"]:
        put(row, assignment["path"], value_of(assignment["value"], seen))
    for assignment in program["append"]:
        _list_at(row, assignment["path"]).append(copy.deepcopy(value_of(assignment["value"], seen)))
    return value_of(program["returns"], {**seen, "after": row})


def _list_at(row: Any, path: Any) -> Any:
    items = follow(row, path)
    if not isinstance(items, list):
        raise Refused
    return items


def _procedure(program: Any, seen: Any, tables: Any) -> Any:
    for step in program["steps"]:
        if step["op"] == "let":
            seen["names"][step["name"]] = value_of(step["value"], seen)
        else:
            _require(step, seen)
    _perform(program["effects"], seen, tables)
    return value_of(program["returns"], {**seen, "outcome": tables})


def _require(step: Any, seen: Any) -> None:
    turns = [seen] if step["of"] is None else [turn for _, turn in turns_of(step, seen)]
    for turn in turns:
        if not truth(step["holds"], turn):
            error = step["error"]
            error = error if isinstance(error, str) else value_of(error, turn)
            if not isinstance(error, str):
                raise Refused
            raise Refused(error)


def _perform(effects: Any, seen: Any, tables: Any) -> None:
    for effect in effects:
        _PERFORM[effect["op"]](effect, seen, tables)


def _each(effect: Any, seen: Any, tables: Any) -> None:
    for _, turn in turns_of(effect, seen):
        _perform(effect["effects"], turn, tables)


def _when(effect: Any, seen: Any, tables: Any) -> None:
    _perform(effect["then" if truth(effect["holds"], seen) else "otherwise"], seen, tables)


def _insert(effect: Any, seen: Any, tables: Any) -> None:
    key = key_text(value_of(effect["key"], seen))
    row = value_of(effect["row"], seen)
    if key in tables[effect["table"]] or not isinstance(row, dict):
        raise Refused
    tables[effect["table"]][key] = copy.deepcopy(row)


def _delete(effect: Any, seen: Any, tables: Any) -> None:
    key = key_text(value_of(effect["key"], seen))
    if key not in tables[effect["table"]]:
        raise Absent
    del tables[effect["table"]][key]


def _change(effect: Any, seen: Any, tables: Any) -> None:
    key = key_text(value_of(effect["key"], seen))
    if key not in tables[effect["table"]]:
        raise Absent
    row = tables[effect["table"]][key]
    path = _resolved(effect["path"], row, seen)
    try:
        current = [copy.deepcopy(follow(row, path))]
    except Absent:
        current = []
    seen = {**seen, "current": current}
    if effect["op"] == "remove":
        follow(seen["current"], [0])
        del follow(row, path[:-1])[path[-1]]
    else:
        put(row, path, _NEW[effect["op"]](effect, seen))


def _set(effect: Any, seen: Any) -> Any:
    return value_of(effect["value"], seen)


def _append(effect: Any, seen: Any) -> Any:
    return [*_current_list(seen), value_of(effect["value"], seen)]


def _extend(effect: Any, seen: Any) -> Any:
    return [*_current_list(seen), *of_kind("list", effect["values"], seen)]


def _current_list(seen: Any) -> Any:
    if not seen["current"] or not isinstance(seen["current"][0], list):
        raise Refused
    return seen["current"][0]


def _add(effect: Any, seen: Any) -> Any:
    numbers = [*(seen["current"] or [0]), of_kind("number", effect["value"], seen)]
    if kind(numbers[0]) != "number":
        raise Refused
    total = normalise(numbers[0] + numbers[1])
    return total if effect["digits"] is None else round(total, effect["digits"])


def _resolved(path: Any, row: Any, seen: Any) -> list[Any]:
    resolved: list[Any] = []
    for step in path:
        if isinstance(step, dict):
            try:
                container = follow(row, resolved)
            except Absent:
                container = None
            step = computed_step(container, value_of(step["expr"], seen))
        resolved.append(step)
    return resolved


_RUN = {
    "constant": _constant,
    "lookup": _lookup,
    "find": _find,
    "search": _search,
    "create": _create,
    "update": _update,
    "procedure": _procedure,
}

_NEW = {"set": _set, "append": _append, "extend": _extend, "add": _add}

_PERFORM = {
    **dict.fromkeys(("set", "append", "extend", "add", "remove"), _change),
    "insert": _insert,
    "delete": _delete,
    "each": _each,
    "when": _when,
}
