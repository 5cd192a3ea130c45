"""Descriptions: programs as short texts that people read in reports.

`$name` is an argument, `each` what a loop is at, `T[k]` the row of table T with key k, `:=` puts a
value in place and `++` adds to a list.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any

from envwright.events.canonical import Json
from envwright.sandbox.worlds import programs as p
from envwright.sandbox.worlds.json_values import path_text

_LONGEST_VALUE = 80
_MARK = "…"


def describe(part: p.Node) -> str:
    """Return what a program, or an expression or another part of one, says in one line."""
    return _WORDS[type(part)](part)


def _const(part: p.Const | p.Constant) -> str:
    return _value(part.value)


def _value(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}{_MARK}"


def _inside(what: str, path: tuple[str | int, ...]) -> str:
    steps = path_text(path)
    return what + (steps if steps.startswith("[") or not steps else f".{steps}")


def _in_row(part: p.OfRow | p.AfterOf) -> str:
    row = _inside(f"{part.table}[{describe(part.key)}]", part.path)
    return f"new {row}" if isinstance(part, p.AfterOf) else row


def _entry(part: p.EntryOf) -> str:
    return _inside(f"{describe(part.of)}[{describe(part.key)}]", part.path)


def _clock(part: p.Clock) -> str:
    return "today" if part.form == "date" else "now"


def _object(part: p.ObjectOf) -> str:
    return f"{{{', '.join(f'{name}: {describe(part.fields[name])}' for name in part.fields)}}}"


def _zip(part: p.ZipOf) -> str:
    return f"zip({', '.join(f'{name}: {describe(part.lists[name])}' for name in part.lists)})"


def _loop(part: Any) -> str:
    return f"each {part.named} of {describe(part.of)}" if part.named else f"each of {_of(part)}"


def _of(part: Any) -> str:
    return describe(part.of)


def _mapping(part: p.MappingOf) -> str:
    return f"{{{describe(part.name)}: {describe(part.value)} for {_loop(part)}}}"


def _map(part: p.MapOf) -> str:
    return f"[{describe(part.body)} for {_loop(part)}]"


def _filter(part: p.FilterOf) -> str:
    return f"[{_loop(part)} where {describe(part.holds)}]"


def _first(part: p.FirstOf) -> str:
    return _inside(f"(first {_loop(part)} where {describe(part.holds)})", part.path)


def _every(part: p.Every) -> str:
    return f"({describe(part.holds)} for {_loop(part)})"


def _updated(part: p.Updated) -> str:
    changes = ", ".join(map(describe, part.set))
    return (
        f"({_of(part)}, for each {part.named} of {describe(part.by)} "
        f"the one with {path_text(part.key)} = {describe(part.equals)}: {changes})"
    )


def _rows(part: p.RowsOf | p.KeysOf) -> str:
    what = part.table if isinstance(part, p.RowsOf) else f"keys of {part.table}"
    return f"[{what}{_where(part.where)}]"


def _where(conditions: Iterable[p.Condition]) -> str:
    text = " and ".join(map(describe, conditions))
    return f" where {text}" if text else ""


def _merged(part: p.Merged) -> str:
    return f"merged({_listed(part.objects)})"


def _without(part: p.Without) -> str:
    return f"{_of(part)} without {', '.join(part.fields)}"


def _if(part: p.If) -> str:
    return f"({describe(part.then)} if {describe(part.holds)} else {describe(part.otherwise)})"


def _compare(part: p.Compare) -> str:
    return f"{describe(part.left)} {part.sign} {describe(part.right)}"


def _round(part: p.RoundTo) -> str:
    return f"round{part.digits}({_of(part)})"


def _joined(sign: str, field: str) -> Callable[[Any], str]:
    return lambda part: f"({f' {sign} '.join(map(describe, getattr(part, field)))})"


def _applied(name: str, field: str = "of") -> Callable[[Any], str]:
    def words(part: Any) -> str:
        value = getattr(part, field)
        return f"{name}({_listed(value) if isinstance(value, tuple) else describe(value)})"

    return words


def _listed(parts: Iterable[p.Node]) -> str:
    return ", ".join(map(describe, parts))


def _place(part: Any) -> str:
    text = f"{part.table}[{describe(part.key)}]"
    for step in part.path:
        text += f"[{describe(step.expr)}]" if isinstance(step, p.Computed) else _inside("", (step,))
    return text


def _add(part: p.Add) -> str:
    rounding = "" if part.digits is None else f" (round{part.digits})"
    return f"{_place(part)} += {describe(part.value)}{rounding}"


def _each(part: p.Each) -> str:
    return f"for {_loop(part)}: ({_in_turn(part.effects)})"


def _when(part: p.When) -> str:
    otherwise = f" else ({_in_turn(part.otherwise)})" if part.otherwise else ""
    return f"if {describe(part.holds)}: ({_in_turn(part.then)}){otherwise}"


def _in_turn(parts: Iterable[p.Node]) -> str:
    return "; ".join(map(describe, parts))


def _require(part: p.Require) -> str:
    error = _value(part.error) if isinstance(part.error, str) else describe(part.error)
    loop = "" if part.of is None else f" for {_loop(part)}"
    return f"require {describe(part.holds)}{loop} else {error}"


def _update(part: p.Update) -> str:
    guards = " and ".join(f"{path_text(g.path)} in {_value(list(g.within))}" for g in part.guards)
    appended = (f"{path_text(a.path)} ++ [{describe(a.value)}]" for a in part.append)
    changes = "; ".join([*map(describe, part.set), *appended])
    row = f"{part.table}[{describe(part.key)}]{f' if {guards}' if guards else ''}"
    return f"{row}: {changes}; gives {describe(part.returns)}"


def _procedure(part: p.Procedure) -> str:
    parts = [*map(describe, part.steps), *map(describe, part.effects)]
    return "; ".join([*parts, f"gives {describe(part.returns)}"])


_WORDS: dict[type, Callable[[Any], str]] = {
    p.Const: _const,
    p.Argument: lambda part: f"${path_text(part.path)}",
    p.FieldOf: lambda part: path_text(part.path),
    p.RowAfter: lambda part: "row",
    p.KeyOf: lambda part: "key",
    p.OfRow: _in_row,
    p.AfterOf: _in_row,
    p.Variable: lambda part: _inside(part.name, part.path),
    p.Element: lambda part: _inside("each", part.path),
    p.Current: lambda part: "current",
    p.EntryOf: _entry,
    p.Clock: _clock,
    p.Ordinal: lambda part: f"next {part.counter}",
    p.ObjectOf: _object,
    p.ListOf: lambda part: f"[{_listed(part.items)}]",
    p.MappingOf: _mapping,
    p.Merged: _merged,
    p.Without: _without,
    p.Entries: _applied("entries"),
    p.Text: _applied("text", "items"),
    p.Coalesce: _joined("or else", "options"),
    p.If: _if,
    p.SortedOf: _applied("sorted"),
    p.MapOf: _map,
    p.FilterOf: _filter,
    p.FirstOf: _first,
    p.ZipOf: _zip,
    p.ConcatOf: _applied("concat"),
    p.Length: _applied("length"),
    p.SumOf: _applied("sum"),
    p.Updated: _updated,
    p.RowsOf: _rows,
    p.KeysOf: _rows,
    p.Plus: _joined("+", "terms"),
    p.Minus: lambda part: f"({describe(part.left)} - {describe(part.right)})",
    p.Times: _joined("×", "factors"),
    p.Negate: lambda part: f"-{_of(part)}",
    p.AbsOf: _applied("abs"),
    p.RoundTo: _round,
    p.Exists: _applied("exists"),
    p.Compare: _compare,
    p.In: lambda part: f"{describe(part.value)} in {_of(part)}",
    p.Contains: lambda part: f"{describe(part.part)} in {describe(part.text)}",
    p.Every: _every,
    p.And: _joined("and", "terms"),
    p.Or: _joined("or", "terms"),
    p.Not: _applied("not"),
    p.Condition: lambda part: f"{path_text(part.path)} = {describe(part.equals)}",
    p.Assignment: lambda part: f"{path_text(part.path)} := {describe(part.value)}",
    p.SetTo: lambda part: f"{_place(part)} := {describe(part.value)}",
    p.Append: lambda part: f"{_place(part)} ++ [{describe(part.value)}]",
    p.Extend: lambda part: f"{_place(part)} ++ {describe(part.values)}",
    p.Add: _add,
    p.Remove: lambda part: f"remove {_place(part)}",
    p.Insert: lambda part: f"new {part.table}[{describe(part.key)}] := {describe(part.row)}",
    p.Delete: lambda part: f"delete {part.table}[{describe(part.key)}]",
    p.Each: _each,
    p.When: _when,
    p.Let: lambda part: f"{part.name} = {describe(part.value)}",
    p.Require: _require,
    p.Lookup: lambda part: f"{part.table}[{describe(part.key)}]; gives {describe(part.returns)}",
    p.Find: lambda part: (
        f"first of {part.table}{_where(part.where)}; gives {describe(part.returns)}"
    ),
    p.Search: lambda part: (
        f"all of {part.table}{_where(part.where)}; gives {describe(part.returns)}"
    ),
    p.Update: _update,
    p.Create: lambda part: (
        f"new {part.table}[{describe(part.key)}] := {describe(part.row)}; "
        f"gives {describe(part.returns)}"
    ),
    p.Procedure: _procedure,
    p.Recorded: lambda part: "what was recorded for equal arguments",
    p.Constant: lambda part: f"always {_value(part.value)}",
}
