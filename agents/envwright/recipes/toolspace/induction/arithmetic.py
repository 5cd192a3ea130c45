"""Arithmetic: numbers as copies, lengths, sums over lists and lists walked together, and of two.

Candidates are compared roughly on the first frames and exactly on all: float order and rounding are
part of what a program does.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column, Root, Values
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.values import ABSENT, Path

MOST_NUMBERS = 160
"""How many numeric columns of a scope are tried in pairs (ours)."""

_CLOSE = 0.006


class _Form(NamedTuple):
    """A way to finish a number."""

    cost: int
    phrase: Callable[[Draft], Draft]
    work: Callable[[float], float]


def _shaped(*operations: str) -> Callable[[Draft], Draft]:
    def phrase(draft: Draft) -> Draft:
        for operation in operations:
            draft = drafts.apply(operation, draft)
        return draft

    return phrase


FORMS = (
    _Form(0, _shaped(), lambda x: x),
    _Form(1, _shaped("negate"), lambda x: -x),
    _Form(1, _shaped("absolute"), abs),
    _Form(1, _shaped("round2"), lambda x: round(x, 2)),
    _Form(2, _shaped("round2", "negate"), lambda x: -round(x, 2)),
    _Form(2, _shaped("round2", "absolute"), lambda x: abs(round(x, 2))),
)


def is_number(value: Json) -> bool:
    """Say whether a value is a number and no boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def settled(value: float) -> float:
    """Return a number in its one form: 25.0 is 25."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def numbers(scope: Scope) -> list[Column]:
    """Return the numeric columns of a scope, cheapest first; found once."""
    return scope.once("numbers", _all_numbers)


def _all_numbers(scope: Scope) -> list[Column]:
    return _distinct([*_copies(scope), *_lengths(scope), *_sums(scope)], scope.least)


def fit_number(scope: Scope, targets: Values) -> Column | None:
    """Return the cheapest expression that gives the numbers, beyond a copy; or None."""
    cheapest = None
    for column in _candidates(scope, targets):
        if (cheapest is None or column.cost < cheapest.cost) and _same(column.values, targets):
            cheapest = column
    return cheapest


def _candidates(scope: Scope, targets: Values) -> Iterator[Column]:
    probes = [i for i, t in enumerate(targets) if is_number(t)][:6]
    base = numbers(scope)
    for column in base:
        yield from _finished(column, targets, probes)
        for other in (_scale(column, targets, probes), _offset(column, targets, probes)):
            if other is not None:
                yield other
    for pair in _pairs(base, targets, probes):
        yield from _finished(pair, targets, probes)


def _finished(column: Column, targets: Values, probes: Sequence[int]) -> Iterator[Column]:
    if not all(_near(column.values[i], targets[i]) for i in probes):
        return
    yield from forms(column)


def forms(column: Column) -> Iterator[Column]:
    """Yield a number as it is, negated, absolute and rounded."""
    for form in FORMS:
        values = tuple(settled(form.work(v)) if is_number(v) else v for v in column.values)
        yield column._replace(
            expr=form.phrase(column.expr), values=values, cost=column.cost + form.cost
        )


def _near(value: Json, target: Json) -> bool:
    return value is UNKNOWN or (is_number(value) and abs(abs(value) - abs(target)) < _CLOSE)


def _scale(column: Column, targets: Values, probes: Sequence[int]) -> Column | None:
    found = [(column.values[i], targets[i]) for i in probes if is_number(column.values[i])]
    sure = [(v, t) for v, t in found if v]
    if len(sure) < 2 or len({v for v, _ in sure}) < 2:
        return None
    factor = settled(sure[0][1] / sure[0][0])
    if factor in (0, 1, -1) or factor != round(factor, 2):
        return None
    values = tuple(settled(v * factor) if is_number(v) else v for v in column.values)
    expr = drafts.apply("times", column.expr, drafts.constant(factor))
    return column._replace(expr=expr, values=values, cost=column.cost + 4)


def _offset(column: Column, targets: Values, probes: Sequence[int]) -> Column | None:
    """Return a number and a fixed one added to it: a counter goes up by one."""
    sure = [(column.values[i], targets[i]) for i in probes if is_number(column.values[i])]
    if not sure:
        return None
    step = settled(round(sure[0][1] - sure[0][0], 2))
    if step == 0:
        return None
    values = tuple(settled(v + step) if is_number(v) else v for v in column.values)
    expr = drafts.apply("plus", column.expr, drafts.constant(step))
    return column._replace(expr=expr, values=values, cost=column.cost + 4)


def _pairs(base: list[Column], targets: Values, probes: Sequence[int]) -> Iterator[Column]:
    probe = next((i for i in probes if targets[i]), None)
    if probe is None:
        return
    wanted = abs(targets[probe])
    at_probe = [(column, column.values[probe]) for column in base[:MOST_NUMBERS]]
    usable = [(column, value) for column, value in at_probe if is_number(value)]
    for (left, a), (right, b) in combinations(usable, 2):
        if abs(abs(a - b) - wanted) < _CLOSE:
            yield combined(left, right, "minus")
            yield combined(right, left, "minus")
        if abs(abs(a + b) - wanted) < _CLOSE:
            yield combined(left, right, "plus")
        if abs(abs(a * b) - wanted) < _CLOSE:
            yield combined(left, right, "times")


_WORK: dict[str, Callable[[float, float], float]] = {
    "minus": lambda a, b: a - b,
    "plus": lambda a, b: a + b,
    "times": lambda a, b: a * b,
}


def combined(left: Column, right: Column, op: str) -> Column:
    """Return the column of two columns joined by `minus`, `plus` or `times`."""
    values = tuple(
        settled(_WORK[op](a, b))
        if is_number(a) and is_number(b)
        else (UNKNOWN if UNKNOWN in (a, b) else ABSENT)
        for a, b in zip(left.values, right.values, strict=True)
    )
    cost = left.cost + right.cost + (1 if left.name == right.name else 3)
    expr = drafts.apply(op, left.expr, right.expr)
    return Column(expr, values, cost, left.name, left.varies or right.varies)


def _same(values: Values, targets: Values) -> bool:
    known = [(v, t) for v, t in zip(values, targets, strict=True) if v is not UNKNOWN]
    return 2 * len(known) >= len(targets) and all(is_number(v) and v == t for v, t in known)


def _copies(scope: Scope) -> Iterator[Column]:
    yield from scope.columns((int, float))
    for root in scope.roots:
        for path, kind in root.places.items():
            if kind is list and path and root.kind != "reached":
                yield from _indexed(root, path)


def _indexed(root: Root, path: Path) -> Iterator[Column]:
    lists = [v for v in root.column(path).values if isinstance(v, list) and v]
    first = lists[0][0] if lists else None
    if is_number(first):
        column = root.column((*path, 0))
        yield column._replace(cost=column.cost + 3)
    if not isinstance(first, dict):
        return
    for name in sorted(first):
        if is_number(first[name]):
            column = root.column((*path, 0, name))
            yield column._replace(cost=column.cost + 3)


def _lengths(scope: Scope) -> Iterator[Column]:
    for column in scope.columns((list,)):
        values = tuple(
            len(v) if isinstance(v, list) else (v if v is UNKNOWN else ABSENT)
            for v in column.values
        )
        yield Column(
            drafts.apply("count", column.expr), values, column.cost + 4, "count", column.varies
        )


def _sums(scope: Scope) -> Iterator[Column]:
    if scope.depth > 1:
        return
    lists = [column for column in scope.lists() if column.varies]
    for group in walks(lists):
        inner = scope.within([column.values for column in group])
        if not inner.samples:
            continue
        own = [c for c in _copies(inner) if c.varies]
        for column in own if len(group) == 1 else _differences(own):
            yield _total(scope, inner, group, column)


def walks(lists: list[Column]) -> Iterator[tuple[Column, ...]]:
    """Yield each list alone, and the pairs that always have equal lengths."""
    for column in lists:
        yield (column,)
    for left, right in combinations(lists, 2):
        both = [
            (a, b)
            for a, b in zip(left.values, right.values, strict=True)
            if isinstance(a, list) and isinstance(b, list)
        ]
        together = bool(both) and all(len(a) == len(b) for a, b in both)
        if together and len({len(a) for a, _ in both}) > 1:
            yield (left, right)


def _differences(own: list[Column]) -> Iterator[Column]:
    yield from own
    for left, right in combinations(own, 2):
        if left.name == right.name:
            yield combined(left, right, "minus")
            yield combined(right, left, "minus")


def _total(scope: Scope, inner: Scope, group: tuple[Column, ...], body: Column) -> Column:
    sums: list[Json] = [
        0 if all(isinstance(c.values[f], list) for c in group) else UNKNOWN
        for f in range(len(scope.samples))
    ]
    for frame, value in zip(inner.owners, body.values, strict=True):
        if not is_number(value) or not is_number(sums[frame]):
            sums[frame] = UNKNOWN if UNKNOWN in (value, sums[frame]) else ABSENT
        else:
            sums[frame] += value
    cost = body.cost + sum(column.cost for column in group) + 2
    expr = drafts.walk("sum", [c.expr for c in group], scope.depth, body.expr)
    values = tuple(settled(v) if is_number(v) else v for v in sums)
    return Column(expr, values, cost, body.name, any(c.varies for c in group))


def _distinct(columns: list[Column], least: float) -> list[Column]:
    best: dict[Values, Column] = {}
    for column in columns:
        if sum(map(is_number, column.values)) < least * len(column.values):
            continue
        held = best.get(column.values)
        if held is None or column.cost < held.cost:
            best[column.values] = column
    return sorted(best.values(), key=lambda column: (column.cost, repr(column.expr)))
