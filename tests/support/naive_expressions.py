"""The naive second implementation of expressions: they are read from JSON at each evaluation."""

import copy
import functools
import operator
import unicodedata
from collections.abc import Callable
from typing import Any, TypeAlias

from envwright.events import encode, equal, normalise

Meaning: TypeAlias = Callable[[Any, Any], Any]

_MEANINGS: dict[str, Meaning] = {}


class Refused(Exception):
    """The call is refused; with the text where the program gives one."""


class Absent(Refused):
    """Something is not there."""


def value_of(expr: Any, seen: Any) -> Any:
    """Return the value of an expression."""
    return normalise(_MEANINGS[expr["op"]](expr, seen))


def op(name: str) -> Callable[[Meaning], Meaning]:
    """Enter what an operation means."""

    def enter(meaning: Meaning) -> Meaning:
        _MEANINGS[name] = meaning
        return meaning

    return enter


def follow(value: Any, path: Any) -> Any:
    """Return what is at a path."""
    for step in path:
        if not isinstance(value, dict if isinstance(step, str) else list):
            raise Absent
        try:
            value = value[step]
        except LookupError:
            raise Absent from None
    return value


def key_text(key: Any) -> str:
    """Return a key as text."""
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise Refused
    return str(key)


def kind(value: Any) -> str:
    """Return what sort of value it is."""
    # bool before int: Python counts True as an int.
    names = {bool: "boolean", int: "number", float: "number", str: "text"}
    names |= {list: "list", dict: "object", type(None): "null"}
    return names[type(value)]


def truth(expr: Any, seen: Any) -> bool:
    """Return whether a predicate holds."""
    return bool(of_kind("boolean", expr, seen))


def of_kind(wanted: str, expr: Any, seen: Any) -> Any:
    """Return the value of an expression that must be of a kind."""
    value = value_of(expr, seen)
    if kind(value) != wanted:
        raise Refused
    return value


def turns_of(expr: Any, seen: Any) -> list[tuple[Any, Any]]:
    """Return the elements of a loop, each with what is seen at it."""
    named = expr["named"] or "element"
    return [
        (item, {**seen, "names": {**seen["names"], "element": item, named: item}})
        for item in of_kind("list", expr["of"], seen)
    ]


def computed_step(container: Any, key: Any) -> Any:
    """Return a computed key as a step into a container."""
    if isinstance(container, list) and isinstance(key, int) and not isinstance(key, bool):
        if key < 0:
            raise Absent
        return key
    return key_text(key)


_OF_ONE: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "entries": ("object", lambda of: [{"key": name, "value": of[name]} for name in sorted(of)]),
    "length": ("list", len),
    "negate": ("number", lambda of: 0 - of),
    "abs": ("number", abs),
    "not": ("boolean", lambda of: not of),
}

for _name, (_kind, _function) in _OF_ONE.items():
    op(_name)(lambda e, s, wanted=_kind, function=_function: function(of_kind(wanted, e["of"], s)))


@op("const")
def _const(e: Any, s: Any) -> Any:
    return e["value"]


@op("arg")
def _arg(e: Any, s: Any) -> Any:
    try:
        return follow(s["arguments"], e["path"])
    except Absent:
        return None


@op("field")
def _field(e: Any, s: Any) -> Any:
    return follow(s["before"], e["path"])


@op("row")
def _row(e: Any, s: Any) -> Any:
    return s["after"]


@op("key")
def _key(e: Any, s: Any) -> Any:
    return s["key"]


@op("of_row")
def _of_row(e: Any, s: Any, tables: Any = None) -> Any:
    rows = (tables or s["world"]["tables"])[e["table"]]
    return follow(rows, [key_text(value_of(e["key"], s)), *e["path"]])


@op("after")
def _after(e: Any, s: Any) -> Any:
    return _of_row(e, s, s["outcome"])


@op("var")
def _var(e: Any, s: Any) -> Any:
    return follow(s["names"][e["name"]], e["path"])


@op("element")
def _element(e: Any, s: Any) -> Any:
    return follow(s["names"]["element"], e["path"])


@op("current")
def _current(e: Any, s: Any) -> Any:
    return follow(s["current"], [0])


@op("entry")
def _entry(e: Any, s: Any) -> Any:
    container = value_of(e["of"], s)
    if not isinstance(container, list | dict):
        raise Refused
    return follow(container, [computed_step(container, value_of(e["key"], s)), *e["path"]])


@op("clock")
def _clock(e: Any, s: Any) -> Any:
    clock = s["world"]["clock"]
    return {"utc": clock, "naive": clock.rstrip("Z"), "date": clock.split("T")[0]}[e["form"]]


@op("ordinal")
def _ordinal(e: Any, s: Any) -> Any:
    s["numbers"][e["counter"]] = s["world"]["counters"].get(e["counter"], 0) + 1
    return s["numbers"][e["counter"]]


@op("object")
def _object(e: Any, s: Any) -> Any:
    return {name: value_of(e["fields"][name], s) for name in sorted(e["fields"])}


@op("list")
def _list(e: Any, s: Any) -> Any:
    return [value_of(part, s) for part in e["items"]]


@op("mapping")
def _mapping(e: Any, s: Any) -> Any:
    entries = {}
    for _, turn in turns_of(e, s):
        name = value_of(e["name"], turn)
        if kind(name) not in ("text", "number"):
            raise Refused
        entries[key_text(name)] = value_of(e["value"], turn)
    return entries


@op("merged")
def _merged(e: Any, s: Any) -> Any:
    return functools.reduce(operator.or_, [of_kind("object", part, s) for part in e["objects"]])


@op("without")
def _without(e: Any, s: Any) -> Any:
    of = of_kind("object", e["of"], s)
    return {name: of[name] for name in of if name not in e["fields"]}


@op("text")
def _text(e: Any, s: Any) -> Any:
    parts = []
    for part in e["items"]:
        value = value_of(part, s)
        if kind(value) not in ("text", "number"):
            raise Refused
        parts.append(value if isinstance(value, str) else encode(value).decode())
    return unicodedata.normalize("NFC", "".join(parts))


@op("coalesce")
def _coalesce(e: Any, s: Any) -> Any:
    for option in e["options"]:
        try:
            value = value_of(option, s)
        except Absent:
            value = None
        if value is not None:
            return value
    return None


@op("if")
def _if(e: Any, s: Any) -> Any:
    return value_of(e["then" if truth(e["holds"], s) else "otherwise"], s)


@op("sorted")
def _sorted(e: Any, s: Any) -> Any:
    return sorted(of_kind("list", e["of"], s), key=functools.cmp_to_key(_order))


@op("map")
def _map(e: Any, s: Any) -> Any:
    return [value_of(e["body"], turn) for _, turn in turns_of(e, s)]


@op("filter")
def _filter(e: Any, s: Any) -> Any:
    return [item for item, turn in turns_of(e, s) if truth(e["holds"], turn)]


@op("first")
def _first(e: Any, s: Any) -> Any:
    for item, turn in turns_of(e, s):
        if truth(e["holds"], turn):
            return follow(item, e["path"])
    raise Absent


@op("zip")
def _zip(e: Any, s: Any) -> Any:
    lists = {name: of_kind("list", e["lists"][name], s) for name in sorted(e["lists"])}
    counts = {len(items) for items in lists.values()}
    if len(counts) > 1:
        raise Refused
    return [{name: lists[name][index] for name in lists} for index in range(counts.pop())]


@op("concat")
def _concat(e: Any, s: Any) -> Any:
    of = of_kind("list", e["of"], s)
    if any(not isinstance(part, list) for part in of):
        raise Refused
    return [item for part in of for item in part]


@op("sum")
def _sum(e: Any, s: Any) -> Any:
    total = 0
    for number in of_kind("list", e["of"], s):
        if kind(number) != "number":
            raise Refused
        total = normalise(total + number)
    return total


@op("updated")
def _updated(e: Any, s: Any) -> Any:
    found = list(of_kind("list", e["of"], s))
    for order in of_kind("list", e["by"], s):
        seen = {**s, "names": {**s["names"], e["named"]: order}}
        wanted = value_of(e["equals"], seen)
        index = next((i for i, item in enumerate(found) if has(item, e["key"], wanted)), None)
        if index is None:
            raise Absent
        seen["names"]["element"] = found[index]
        item = copy.deepcopy(found[index])
        for assignment in e["set"]:
            put(item, assignment["path"], value_of(assignment["value"], seen))
        found[index] = item
    return found


def put(container: Any, path: Any, value: Any) -> None:
    """Put a value in place; what is around it must exist, and an index too."""
    *parents, last = path
    parent = follow(container, parents)
    if isinstance(parent, list) or not isinstance(last, str):
        follow(parent, [last])
    if not isinstance(parent, dict | list):
        raise Refused
    parent[last] = copy.deepcopy(value)


@op("rows")
def _rows(e: Any, s: Any) -> Any:
    return [row for _, row in matching(e, s)]


@op("keys")
def _keys(e: Any, s: Any) -> Any:
    return [key for key, _ in matching(e, s)]


def matching(e: Any, s: Any) -> list[tuple[str, Any]]:
    """Return the rows with the wanted fields, in the order of keys."""
    wanted = [(c["path"], value_of(c["equals"], s)) for c in e["where"]]
    rows = sorted(s["world"]["tables"][e["table"]].items())
    return [(k, row) for k, row in rows if all(has(row, path, v) for path, v in wanted)]


def has(row: Any, path: Any, value: Any) -> bool:
    """Say whether a value is at a path."""
    try:
        return equal(follow(row, path), value)
    except Absent:
        return False


@op("plus")
def _plus(e: Any, s: Any) -> Any:
    return functools.reduce(lambda x, y: normalise(x + y), _numbers(e["terms"], s))


@op("times")
def _times(e: Any, s: Any) -> Any:
    return functools.reduce(lambda x, y: normalise(x * y), _numbers(e["factors"], s))


@op("minus")
def _minus(e: Any, s: Any) -> Any:
    left, right = _numbers([e["left"], e["right"]], s)
    return left - right


def _numbers(parts: Any, s: Any) -> list[Any]:
    return [of_kind("number", part, s) for part in parts]


@op("round")
def _round(e: Any, s: Any) -> Any:
    return round(of_kind("number", e["of"], s), e["digits"])


@op("exists")
def _exists(e: Any, s: Any) -> Any:
    try:
        value_of(e["of"], s)
    except Absent:
        return False
    return True


@op("compare")
def _compare(e: Any, s: Any) -> Any:
    left, right = value_of(e["left"], s), value_of(e["right"], s)
    if e["sign"] in ("==", "!="):
        return equal(left, right) == (e["sign"] == "==")
    if kind(left) != kind(right) or kind(left) not in ("number", "text"):
        raise Refused
    signs = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
    return signs[e["sign"]](left, right)


@op("in")
def _in(e: Any, s: Any) -> Any:
    value, of = value_of(e["value"], s), of_kind("list", e["of"], s)
    return any(equal(value, item) for item in of)


@op("contains")
def _contains(e: Any, s: Any) -> Any:
    text = of_kind("text", e["text"], s)
    return of_kind("text", e["part"], s) in text


@op("every")
def _every(e: Any, s: Any) -> Any:
    return all(truth(e["holds"], turn) for _, turn in turns_of(e, s))


@op("and")
def _and(e: Any, s: Any) -> Any:
    return all(truth(term, s) for term in e["terms"])


@op("or")
def _or(e: Any, s: Any) -> Any:
    return any(truth(term, s) for term in e["terms"])


def _order(left: Any, right: Any) -> int:
    if _rank(left) != _rank(right):
        return _rank(left) - _rank(right)
    if isinstance(left, dict):
        left, right = ([[name, part] for name, part in sorted(v.items())] for v in (left, right))
    if isinstance(left, list):
        for ours, theirs in zip(left, right, strict=False):
            if _order(ours, theirs):
                return _order(ours, theirs)
        left, right = len(left), len(right)
    return 0 if left == right else -1 if left < right else 1


def _rank(value: Any) -> int:
    return ("null", "boolean", "number", "text", "list", "object").index(kind(value))
