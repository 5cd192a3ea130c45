"""The meaning of expressions over lists and tables."""

from collections.abc import Iterable

from envwright.events.canonical import Json
from envwright.sandbox.worlds.interpreter.arithmetic import add
from envwright.sandbox.worlds.interpreter.evaluation import (
    evaluate,
    inside,
    rule,
    same,
    taken,
    turns,
)
from envwright.sandbox.worlds.interpreter.frames import Frame
from envwright.sandbox.worlds.interpreter.places import copying_cost, placed
from envwright.sandbox.worlds.json_values import ABSENT, at, measure, order_key, path_text, shown
from envwright.sandbox.worlds.programs import (
    Assignment,
    ConcatOf,
    FilterOf,
    FirstOf,
    KeysOf,
    Length,
    MapOf,
    RowsOf,
    SortedOf,
    SumOf,
    Updated,
    ZipOf,
)
from envwright.sandbox.worlds.programs.contracts import ELEMENT, kind_of
from envwright.sandbox.worlds.refusal import Absence, Refusal
from envwright.sandbox.worlds.rows import Row


@rule(SortedOf)
def _sorted(expr: SortedOf, frame: Frame) -> Json:
    value = evaluate(expr.of, frame)
    if not isinstance(value, list):
        raise Refusal(f"Error: only a list can be sorted, not {value!r:.80}")
    frame.transaction.spend(measure(value, frame.transaction.left))
    return sorted(value, key=order_key)


@rule(MapOf)
def _map(expr: MapOf, frame: Frame) -> Json:
    items = taken(expr, "of", frame)
    return [evaluate(expr.body, inner) for _, inner in turns(expr, items, frame)]


@rule(FilterOf)
def _filter(expr: FilterOf, frame: Frame) -> Json:
    items = taken(expr, "of", frame)
    return [item for item, inner in turns(expr, items, frame) if taken(expr, "holds", inner)]


@rule(FirstOf)
def _first(expr: FirstOf, frame: Frame) -> Json:
    for item, inner in turns(expr, taken(expr, "of", frame), frame):
        if taken(expr, "holds", inner):
            return inside(item, expr.path, "the element")
    raise Absence("Error: the list has no such element")


@rule(ZipOf)
def _zip(expr: ZipOf, frame: Frame) -> Json:
    names = sorted(expr.lists)
    lists = [_elements(evaluate(expr.lists[name], frame), "zip") for name in names]
    if len({len(items) for items in lists}) > 1:
        counts = ", ".join(f"{n} has {len(items)}" for n, items in zip(names, lists, strict=True))
        raise Refusal(f"Error: the lists differ in length: {counts:.200}")
    frame.transaction.spend(len(lists) * len(lists[0]))
    return [dict(zip(names, items, strict=True)) for items in zip(*lists, strict=True)]


@rule(ConcatOf)
def _concat(expr: ConcatOf, frame: Frame) -> Json:
    joined: list[Json] = []
    for part in taken(expr, "of", frame):
        frame.transaction.spend(1 + len(_elements(part, "concat")))
        joined += part
    return joined


@rule(Length)
def _length(expr: Length, frame: Frame) -> Json:
    return len(taken(expr, "of", frame))


@rule(SumOf)
def _sum(expr: SumOf, frame: Frame) -> Json:
    numbers = taken(expr, "of", frame)
    frame.transaction.spend(len(numbers))
    # Not Python's `sum`: since 3.12 that compensates, and gives other last digits than a loop.
    total: int | float = 0
    for number in numbers:
        if kind_of(number) != "number":
            raise Refusal(f"Error: `sum` takes a list of numbers, not with {number!r:.80}")
        total = add(total, number)
    return total


@rule(Updated)
def _updated(expr: Updated, frame: Frame) -> Json:
    items = list(taken(expr, "of", frame))
    frame.transaction.spend(len(items) // 16)
    for _, inner in turns(expr, taken(expr, "by", frame), frame):
        wanted = evaluate(expr.equals, inner)
        index = _place(expr, items, wanted, frame)
        names = {**inner.names, ELEMENT: items[index]}
        items[index] = _assigned(expr.set, items[index], inner._replace(names=names))
    return items


def _place(expr: Updated, items: list[Json], wanted: Json, frame: Frame) -> int:
    for index, item in enumerate(items):
        frame.transaction.spend(1)
        found = at(item, expr.key)
        if found is not ABSENT and same(found, wanted, frame):
            return index
    raise Absence(f"Error: no element has {path_text(expr.key)} {shown(wanted)}")


def _assigned(assignments: Iterable[Assignment], item: Json, frame: Frame) -> Json:
    for assignment in assignments:
        frame.transaction.spend(copying_cost(item, assignment.path))
        item = placed(item, assignment.path, evaluate(assignment.value, frame))
    return item


@rule(RowsOf)
def _rows(expr: RowsOf, frame: Frame) -> Json:
    return [row for _, row in _matching(expr, frame)]


@rule(KeysOf)
def _keys(expr: KeysOf, frame: Frame) -> Json:
    return [key for key, _ in _matching(expr, frame)]


def _matching(expr: RowsOf | KeysOf, frame: Frame) -> list[tuple[str, Row]]:
    wanted = tuple((c.path, evaluate(c.equals, frame)) for c in expr.where)
    return frame.transaction.matching(expr.table, wanted)


def _elements(value: Json, op: str) -> list[Json]:
    if not isinstance(value, list):
        raise Refusal(f"Error: `{op}` takes lists, not {value!r:.80}")
    return value
