"""Strategies that draw programs of all primitives, with tables and arguments on which many work."""

from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st

from support.program_parts import arg, const, element, entry, field, of_row, var

Part = dict[str, Any]

KINDS = ("boolean", "number", "text", "list", "object")

LEAVES = st.sampled_from([None, True, False, 0, 1, 1.0, 2.5, "a", "b", "Zoe\u0308", "Zo\u00eb"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("nml"), inner),
    max_leaves=4,
)
NUMBERS = st.sampled_from([0, 1, -2, 2.5, 0.1, 0.2, 173.83, 1e15])
TEXTS = st.sampled_from(["a", "b", "n", "Zoe\u0308", "\u0301"])
ELEMENTS = st.fixed_dictionaries({"k": TEXTS | NUMBERS, "v": NUMBERS})
LISTS = st.lists(ELEMENTS, max_size=3) | st.lists(ELEMENTS | NUMBERS | TEXTS, max_size=3)
OBJECTS = st.dictionaries(st.sampled_from("abn"), NUMBERS | ELEMENTS, max_size=3)

FIELDS = {"n": NUMBERS, "t": TEXTS, "l": LISTS, "m": OBJECTS}
ROWS = st.one_of(
    st.fixed_dictionaries(FIELDS, optional={"any": VALUES}),
    st.fixed_dictionaries({}, optional={**FIELDS, "any": VALUES}),
)
TABLES = st.fixed_dictionaries({"a": ROWS}, optional={"b": ROWS, "1": ROWS})
ARGUMENTS = st.fixed_dictionaries({}, optional={"x": VALUES | LISTS, "y": NUMBERS | TEXTS})

PATHS = st.sampled_from([["n"], ["t"], ["l"], ["m"], ["any"], ["m", "a"], ["l", 0], ["l", 1, "v"]])
INNER_PATHS = st.sampled_from([[], ["k"], ["v"], ["n"], [0]])
TABLE_NAMES = st.sampled_from("tu")

_OF_KIND = {
    "boolean": st.booleans(),
    "number": NUMBERS,
    "text": TEXTS,
    "list": LISTS,
    "object": OBJECTS,
    "any": VALUES,
}


_PATH_OF = {"number": ["n"], "text": ["t"], "list": ["l"], "object": ["m"]}
_ELEMENT_PATH_OF = {"number": ["v"], "text": ["k"], "object": []}


class Scope(NamedTuple):
    """What exists where an expression is drawn, and how deep it may still be."""

    needs: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    in_loop: bool = False
    depth: int = 3

    def inner(self) -> "Scope":
        return self._replace(depth=self.depth - 1)

    def loop(self, named: str | None) -> "Scope":
        names = (*self.names, named) if named else self.names
        return self._replace(names=names, in_loop=True, depth=self.depth - 1)


class Drawing:
    """Draws expressions and effects, one primitive at a time."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self.draw = draw

    def expr(self, kind: str, scope: Scope) -> Part:
        """Draw an expression that may give a kind."""
        ops = self._sources(kind, scope)
        if scope.depth > 0:
            ops += [*_ANY_OPS, *_OPS.get(kind, [op for many in _OPS.values() for op in many])]
        return self.draw(st.sampled_from(ops))(self, kind, scope)

    def exprs(self, kind: str, scope: Scope, least: int = 1) -> list[Part]:
        count = self.draw(st.integers(least, least + 1))
        return [self.expr(kind, scope.inner()) for _ in range(count)]

    def name(self, scope: Scope) -> str | None:
        name = f"i{len(scope.names)}"
        return self.draw(st.sampled_from([None, name]))

    def path(self, likely: dict[str, list[Any]], kind: str, others: Any) -> list[Any]:
        """Draw a path that leads to a value of the kind, most of the time."""
        fits = kind in likely and self.draw(st.integers(0, 4)) > 0
        return likely[kind] if fits else self.draw(others)

    def where(self, scope: Scope, least: int = 0) -> list[Part]:
        count = self.draw(st.integers(least, least + 1))
        return [
            {"path": self.draw(PATHS), "equals": self.expr("any", scope.inner())}
            for _ in range(count)
        ]

    def key(self, scope: Scope) -> Part:
        plain = st.sampled_from([*[const("a")] * 4, const("b"), const(1), arg("y")])
        deep = scope.depth > 1 and self.draw(st.integers(0, 4)) == 0
        return self.expr("text", scope.inner()) if deep else self.draw(plain)

    def _sources(self, kind: str, scope: Scope) -> list[Callable[["Drawing", str, Scope], Part]]:
        ops: list[Any] = [_const, _const, _argument, _of_row]
        ops += [_field, _field] if "before" in scope.needs else []
        ops += (
            [lambda d, k, s: {"op": "row"}]
            if "after" in scope.needs and kind in ("any", "object")
            else []
        )
        ops += (
            [lambda d, k, s: {"op": "key"}]
            if "key" in scope.needs and kind in ("any", "text")
            else []
        )
        ops += [_current, _current] if "current" in scope.needs else []
        ops += [_after, _after] if "outcome" in scope.needs else []
        ops += [_element, _element, _element] if scope.in_loop else []
        ops += [_variable, _variable] if scope.names else []
        return ops


def _const(d: Drawing, kind: str, s: Scope) -> Part:
    return const(d.draw(_OF_KIND[kind]))


def _argument(d: Drawing, kind: str, s: Scope) -> Part:
    return arg(d.draw(st.sampled_from("xy")), *d.draw(INNER_PATHS))


def _of_row(d: Drawing, kind: str, s: Scope) -> Part:
    path = d.path(_PATH_OF, kind, PATHS | st.just([]))
    return of_row(d.draw(TABLE_NAMES), d.key(s), *path)


def _after(d: Drawing, kind: str, s: Scope) -> Part:
    return {**_of_row(d, kind, s), "op": "after"}


def _field(d: Drawing, kind: str, s: Scope) -> Part:
    return field(*d.path(_PATH_OF, kind, PATHS))


def _current(d: Drawing, kind: str, s: Scope) -> Part:
    return {"op": "current"}


def _element(d: Drawing, kind: str, s: Scope) -> Part:
    return element(*d.path(_ELEMENT_PATH_OF, kind, INNER_PATHS))


def _variable(d: Drawing, kind: str, s: Scope) -> Part:
    return var(d.draw(st.sampled_from(s.names)), *d.draw(INNER_PATHS))


def _entry(d: Drawing, kind: str, s: Scope) -> Part:
    of = d.expr(d.draw(st.sampled_from(["object", "list"])), s.inner())
    return entry(of, d.expr("any", s.inner()), *d.draw(INNER_PATHS))


def _choice(d: Drawing, kind: str, s: Scope) -> Part:
    branches = {name: d.expr(kind, s.inner()) for name in ("then", "otherwise")}
    return {"op": "if", "holds": d.expr("boolean", s.inner()), **branches}


def _coalesce(d: Drawing, kind: str, s: Scope) -> Part:
    return {"op": "coalesce", "options": d.exprs(kind, s, 2)}


def _ordinal(d: Drawing, kind: str, s: Scope) -> Part:
    if "counters" not in s.needs:
        return _const(d, "number", s)
    return {"op": "ordinal", "counter": d.draw(st.sampled_from("cd"))}


def _of(op: str, takes: str) -> Any:
    return lambda d, kind, s: {"op": op, "of": d.expr(takes, s.inner())}


def _many(op: str, field_name: str, takes: str, least: int = 1) -> Any:
    return lambda d, kind, s: {"op": op, field_name: d.exprs(takes, s, least)}


def _loop(op: str, **bodies: str) -> Any:
    def drawn(d: Drawing, kind: str, s: Scope) -> Part:
        named = d.name(s)
        of = d.expr("list", s.inner())
        parts = {name: d.expr(takes, s.loop(named)) for name, takes in bodies.items()}
        path = {"path": d.draw(INNER_PATHS)} if op == "first" else {}
        return {"op": op, "of": of, "named": named, **parts, **path}

    return drawn


def _object(d: Drawing, kind: str, s: Scope) -> Part:
    names = d.draw(st.lists(st.sampled_from("nkv"), max_size=2, unique=True))
    return {"op": "object", "fields": {name: d.expr("any", s.inner()) for name in names}}


def _zip(d: Drawing, kind: str, s: Scope) -> Part:
    names = d.draw(st.lists(st.sampled_from("kv"), min_size=1, max_size=2, unique=True))
    return {"op": "zip", "lists": {name: d.expr("list", s.inner()) for name in names}}


def _updated(d: Drawing, kind: str, s: Scope) -> Part:
    named = f"i{len(s.names)}"
    inner = s._replace(names=(*s.names, named), depth=s.depth - 1)
    change = {"path": d.draw(PATHS | st.just(["v"])), "value": d.expr("any", inner.loop(None))}
    return {
        "op": "updated",
        "of": d.expr("list", s.inner()),
        "by": d.expr("list", s.inner()),
        "named": named,
        "key": ["k"],
        "equals": d.draw(st.sampled_from([var(named), var(named, "k")])),
        "set": [change],
    }


def _rows(op: str) -> Any:
    return lambda d, kind, s: {"op": op, "table": d.draw(TABLE_NAMES), "where": d.where(s)}


def _two(op: str, first: str, second: str, takes: str) -> Any:
    return lambda d, kind, s: {
        "op": op,
        first: d.expr(takes, s.inner()),
        second: d.expr(takes, s.inner()),
    }


def _compare(d: Drawing, kind: str, s: Scope) -> Part:
    takes = d.draw(st.sampled_from(["number", "text", "any"]))
    sign = d.draw(st.sampled_from(["==", "!=", "<", "<=", ">", ">="]))
    return {**_two("compare", "left", "right", takes)(d, kind, s), "sign": sign}


_ANY_OPS: list[Any] = [_entry, _choice, _coalesce, _loop("first", holds="boolean")]

_OPS: dict[str, list[Any]] = {
    "boolean": [
        lambda d, k, s: {"op": "exists", "of": d.expr("any", s.inner())},
        _compare,
        lambda d, k, s: {**_of("in", "list")(d, k, s), "value": d.expr("any", s.inner())},
        _two("contains", "text", "part", "text"),
        _loop("every", holds="boolean"),
        _many("and", "terms", "boolean"),
        _many("or", "terms", "boolean"),
        _of("not", "boolean"),
    ],
    "number": [
        _ordinal,
        _of("length", "list"),
        _of("sum", "list"),
        _many("plus", "terms", "number", 2),
        _two("minus", "left", "right", "number"),
        _many("times", "factors", "number", 2),
        _of("negate", "number"),
        _of("abs", "number"),
        lambda d, k, s: {**_of("round", "number")(d, k, s), "digits": d.draw(st.integers(0, 3))},
    ],
    "text": [
        lambda d, k, s: {"op": "clock", "form": d.draw(st.sampled_from(["utc", "naive", "date"]))},
        lambda d, k, s: {
            "op": "text",
            "items": [d.expr(d.draw(st.sampled_from(["text", "number"])), s.inner())] * 2,
        },
    ],
    "list": [
        _many("list", "items", "any", 0),
        _of("sorted", "list"),
        _loop("map", body="any"),
        _loop("filter", holds="boolean"),
        _zip,
        lambda d, k, s: {"op": "concat", "of": _many("list", "items", "list")(d, k, s.inner())},
        _updated,
        _rows("rows"),
        _rows("keys"),
        _of("entries", "object"),
    ],
    "object": [
        _object,
        _loop("mapping", name="text", value="any"),
        _many("merged", "objects", "object"),
        lambda d, k, s: {**_of("without", "object")(d, k, s), "fields": ["n", "a"]},
    ],
}


def _step(d: Drawing, names: tuple[str, ...], number: int) -> Part:
    scope = Scope(frozenset({"counters"}), names)
    if d.draw(st.booleans()):
        kind = d.draw(st.sampled_from((*KINDS, "any")))
        return {"op": "let", "name": f"s{number}", "value": d.expr(kind, scope)}
    loops = d.draw(st.booleans())
    named = d.name(scope) if loops else None
    inner = scope.loop(named) if loops else scope
    texts = st.sampled_from(
        ["Error: wrong", {"op": "text", "items": [const("Error: "), element()]}]
    )
    return {
        "op": "require",
        "of": d.expr("list", scope) if loops else None,
        "named": named,
        "holds": d.expr("boolean", inner),
        "error": d.draw(texts) if loops else "Error: wrong",
    }


def _effect(d: Drawing, scope: Scope) -> Part:
    plain = ["set", "append", "extend", "add", "remove", "insert", "delete"]
    op = d.draw(st.sampled_from(plain + (["each", "when"] if scope.depth > 1 else [])))
    if op == "each":
        named = d.name(scope)
        effects = [_effect(d, scope.loop(named))]
        return {"op": op, "of": d.expr("list", scope), "named": named, "effects": effects}
    if op == "when":
        branches = {"then": [_effect(d, scope.inner())], "otherwise": [_effect(d, scope.inner())]}
        return {"op": op, "holds": d.expr("boolean", scope), **branches}
    part: Part = {"op": op, "table": d.draw(TABLE_NAMES), "key": d.key(scope)}
    if op == "insert":
        return {**part, "row": d.expr("object", scope)}
    if op == "delete":
        return part
    return {**part, **_in_row(d, op, scope)}


def _in_row(d: Drawing, op: str, scope: Scope) -> Part:
    path = {"set": PATHS, "add": st.sampled_from([["n"], ["m", "a"], ["new"]])}.get(
        op, st.sampled_from([["l"], ["any"], ["l", 0]])
    )
    steps = d.draw(path)
    if d.draw(st.integers(0, 3)) == 0:
        steps = [*steps[:-1], {"expr": const(steps[-1])}]
    current = scope._replace(needs=scope.needs | {"current"})
    parts: dict[str, Callable[[], Part]] = {
        "set": lambda: {"value": d.expr("any", current)},
        "append": lambda: {"value": d.expr("any", scope)},
        "extend": lambda: {"values": d.expr("list", scope)},
        "add": lambda: {"value": d.expr("number", scope), "digits": d.draw(st.none() | st.just(2))},
        "remove": dict,
    }
    return {"path": steps, **parts[op]()}


@st.composite
def procedures(draw: Any) -> Part:
    """Draw a procedure."""
    d = Drawing(draw)
    steps: list[Part] = []
    names: tuple[str, ...] = ()
    for number in range(draw(st.integers(0, 2))):
        steps.append(_step(d, names, number))
        if steps[-1]["op"] == "let":
            names = (*names, steps[-1]["name"])
    scope = Scope(frozenset({"counters"}), names)
    effects = [_effect(d, scope) for _ in range(draw(st.integers(0, 2)))]
    returns = d.expr("any", scope._replace(needs=scope.needs | {"outcome"}))
    return {"op": "procedure", "steps": steps, "effects": effects, "returns": returns}


READ = frozenset({"before", "after", "key"})
WRITES = frozenset({"before", "key", "counters"})


@st.composite
def row_programs(draw: Any) -> Part:
    """Draw a program of one row, or of a search for rows."""
    d = Drawing(draw)
    op = draw(st.sampled_from(["lookup", "find", "search", "update", "create"]))
    part: Part = {"op": op, "table": draw(TABLE_NAMES)}
    if op in ("find", "search"):
        found = {"where": d.where(Scope(), 1), "returns": d.expr("any", Scope(READ))}
        return {**part, **found, **({"missing": "Error: missing"} if op == "find" else {})}
    part["key"] = d.key(Scope())
    if op == "create":
        row = d.expr("object", Scope(frozenset({"key", "counters"})))
        returns = d.expr("any", Scope(frozenset({"after", "key", "counters"})))
        return {**part, "exists": "Error: exists", "row": row, "returns": returns}
    part |= {"missing": "Error: missing", "returns": d.expr("any", Scope(READ))}
    if op == "update":
        guard = {"path": draw(PATHS), "within": draw(st.lists(VALUES)), "error": "Error: guarded"}
        part["guards"] = draw(st.sampled_from([[], [], [guard]]))
        part["set"] = [{"path": draw(PATHS), "value": d.expr("any", Scope(WRITES))}]
        part["append"] = draw(st.sampled_from([[], [{"path": ["l"], "value": field("n")}]]))
    return part


PROGRAMS = st.one_of(procedures(), procedures(), procedures(), row_programs())
