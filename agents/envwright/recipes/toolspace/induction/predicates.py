"""Predicates: tests over a scope, and the simplest one that tells some frames from others."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.arithmetic import is_number, numbers
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.values import ABSENT, identity, is_scalar, same

MOST_TIES = 20
"""Above this many equally simple predicates the choice would be a guess (ours)."""

_FEW = 4

Truths = tuple[bool | None, ...]


class Test(NamedTuple):
    """A predicate and its truth on every frame; None where that is unknown."""

    expr: Draft
    truths: Truths
    cost: int


def telling(scope: Scope, wanted: Truths) -> Test | None:
    """Return the simplest predicate that is true where wanted, and false where not."""
    best = fitting(scope, wanted)
    ties = [test for test in best if test.cost == best[0].cost]
    return ties[0] if 0 < len(ties) <= MOST_TIES else None


def fitting(scope: Scope, wanted: Truths) -> list[Test]:
    """Return every predicate that is true where wanted and false where not, simplest first."""
    return [test for test in tests(scope) if agrees(test.truths, wanted)]


def tests(scope: Scope) -> list[Test]:
    """Return the predicates of a scope, simplest first; found once."""
    return scope.once("tests", _all_tests)


def _all_tests(scope: Scope) -> list[Test]:
    found = [
        test
        for test in (*_presences(scope), *_equalities(scope), *_comparisons(scope))
        if len({truth for truth in test.truths if truth is not None}) == 2
    ]
    return sorted(found, key=lambda test: (test.cost, repr(test.expr)))


def agrees(truths: Truths, wanted: Truths) -> bool:
    """Say whether a predicate is what is wanted wherever both are known, and tells both apart."""
    pairs = [(t, w) for t, w in zip(truths, wanted, strict=True) if w is not None]
    known = [(t, w) for t, w in pairs if t is not None]
    return all(t == w for t, w in known) and {w for _, w in known} == {True, False}


def _presences(scope: Scope) -> Iterator[Test]:
    reached = [root.column(()) for root in scope.roots if root.kind == "reached"]
    for column in [*reached, *scope.columns((str, int, float, bool, list, dict, type(None)))]:
        given = column.expr.op == "arg"
        truths = tuple(
            None if v is UNKNOWN else v is not ABSENT and not (given and v is None)
            for v in column.values
        )
        yield Test(drafts.apply("present", column.expr), truths, column.cost + 2)
        no = tuple(None if t is None else not t for t in truths)
        yield Test(drafts.apply("absent", column.expr), no, column.cost + 2)


def _equalities(scope: Scope) -> Iterator[Test]:
    for column in scope.columns((str, bool, int)):
        values = {identity(v): v for v in column.values if _plain(v)}
        if len(values) <= _FEW:
            for value in values.values():
                truths = tuple(None if v is UNKNOWN else same(v, value) for v in column.values)
                expr = drafts.apply("equal", column.expr, drafts.constant(value))
                yield Test(expr, truths, column.cost + 2)


def _plain(value: Json) -> bool:
    return value is not UNKNOWN and value is not ABSENT and is_scalar(value)


def _comparisons(scope: Scope) -> Iterator[Test]:
    columns = numbers(scope)
    zero = Column(drafts.constant(0), (0,) * len(scope.samples), 0)
    for column in columns[:80]:
        yield _more(column, zero)
        yield _more(zero, column)
    for left, right in combinations(columns[:40], 2):
        yield _more(left, right)
        yield _more(right, left)


def _more(left: Column, right: Column) -> Test:
    truths = tuple(
        (None if UNKNOWN in (a, b) else is_number(a) and is_number(b) and a > b)
        for a, b in zip(left.values, right.values, strict=True)
    )
    cost = left.cost + right.cost + (2 if left.name == right.name else 4)
    return Test(drafts.apply("more", left.expr, right.expr), truths, cost)
