"""A naive second implementation of the program language, to compare the interpreter with.

It works on the JSON of programs and copies the whole state at each call. It shares no code with the
interpreter but what equality of values is, and knows nothing of shared tables, indexes or classes.
"""

import copy
import functools
from typing import Any

from envwright.events import equal, normalise


class Refused(Exception):
    """The call is refused; with the text where the program gives one."""


def naive_call(program: Any, arguments: Any, tables: Any) -> tuple[Any, Any]:
    """Return the result of a call and the tables after it, or raise Refused."""
    program, arguments, after = (normalise(value) for value in (program, arguments, tables))
    if program["op"] == "constant":
        return program["value"], after
    rows = after[program["table"]]
    key, before = _target(program, arguments, rows)
    seen = {"arguments": arguments, "key": key, "before": before, "after": before}
    if program["op"] == "create":
        rows[key] = _value(program["row"], seen)
        if not isinstance(rows[key], dict):
            raise Refused
    if program["op"] == "update":
        _change(program, copy.deepcopy(seen), rows[key])
    seen["after"] = rows[key]
    return copy.deepcopy(_value(program["returns"], seen)), after


def _target(program: Any, arguments: Any, rows: Any) -> tuple[str, Any]:
    if program["op"] == "find":
        wanted = [
            (c["path"], _value(c["equals"], {"arguments": arguments})) for c in program["where"]
        ]
        for key in sorted(rows):
            if all(_holds(rows[key], path, value) for path, value in wanted):
                return key, copy.deepcopy(rows[key])
        raise Refused(program["missing"])
    key = _value(program["key"], {"arguments": arguments})
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise Refused
    key = str(key)
    if program["op"] == "create":
        if key in rows:
            raise Refused(program["exists"])
        return key, None
    if key not in rows:
        raise Refused(program["missing"])
    return key, copy.deepcopy(rows[key])


def _holds(row: Any, path: Any, value: Any) -> bool:
    try:
        return equal(_follow(row, path), value)
    except LookupError:
        return False


def _change(program: Any, seen: Any, row: Any) -> None:
    for guard in program["guards"]:
        try:
            found = _follow(row, guard["path"])
        except LookupError:
            raise Refused(guard["error"]) from None
        if not any(equal(found, value) for value in guard["within"]):
            raise Refused(guard["error"])
    try:
        for assignment in program["set"]:
            *parents, last = assignment["path"]
            parent = _follow(row, parents)
            if isinstance(parent, list) or not isinstance(last, str):
                _follow(parent, [last])
            if not isinstance(parent, dict | list):
                raise Refused
            parent[last] = copy.deepcopy(_value(assignment["value"], seen))
        for assignment in program["append"]:
            items = _follow(row, assignment["path"])
            if not isinstance(items, list):
                raise Refused
            items.append(copy.deepcopy(_value(assignment["value"], seen)))
    except LookupError:
        raise Refused from None


def _follow(value: Any, path: Any) -> Any:
    for step in path:
        if not isinstance(value, dict if isinstance(step, str) else list):
            raise LookupError(step)
        value = value[step]
    return value


def _value(expr: Any, seen: Any) -> Any:
    match expr["op"]:
        case "const":
            return expr["value"]
        case "arg" | "field":
            return _followed(expr, seen)
        case "object":
            return {name: _value(part, seen) for name, part in expr["fields"].items()}
        case "list":
            return [_value(part, seen) for part in expr["items"]]
        case "sorted":
            items = _value(expr["of"], seen)
            if not isinstance(items, list):
                raise Refused
            return sorted(items, key=functools.cmp_to_key(_compare))
        case "row":
            return seen["after"]
        case "key":
            return seen["key"]
    raise AssertionError(expr)


def _followed(expr: Any, seen: Any) -> Any:
    optional = expr["op"] == "arg"
    try:
        return _follow(seen["arguments" if optional else "before"], expr["path"])
    except LookupError:
        if optional:
            return None
        raise Refused from None


def _compare(left: Any, right: Any) -> int:
    if _rank(left) != _rank(right):
        return _rank(left) - _rank(right)
    if isinstance(left, dict):
        left, right = ([[name, part] for name, part in sorted(v.items())] for v in (left, right))
    if isinstance(left, list):
        for ours, theirs in zip(left, right, strict=False):
            if _compare(ours, theirs):
                return _compare(ours, theirs)
        left, right = len(left), len(right)
    return 0 if left == right else -1 if left < right else 1


def _rank(value: Any) -> int:
    # bool before int: Python counts True as an int.
    types = (type(None), bool, int | float, str, list, dict)
    return next(rank for rank, kind in enumerate(types) if isinstance(value, kind))
