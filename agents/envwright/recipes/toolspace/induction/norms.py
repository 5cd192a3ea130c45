"""Norms: what an argument was like at every success, so that others are refused.

They are one of a few, or they all have a sign such as the `-` of a date or the `@` of an address.
"""

from collections.abc import Iterator

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.predicates import Test, Truths
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.mining.schemas import FEW, SEEN_EACH
from envwright.recipes.toolspace.values import ABSENT, identity, is_scalar

FEWEST_SIGNED = 8
"""Fewest distinct values that must have a sign before it counts as one of all (ours)."""


def broken_norms(scope: Scope, good: Truths) -> Iterator[Test]:
    """Yield predicates that say that a norm is broken: they are true of no frame that is `good`."""
    # Of rows it would say too much: the few that wishes led to are not all that there are.
    given = [column for column in scope.columns((str, bool, int)) if column.expr.op == "arg"]
    for column in given:
        values = [v for v, truth in zip(column.values, good, strict=True) if truth and _plain(v)]
        yield from _outside(column, values)
        if all(isinstance(value, str) for value in values):
            yield from _unsigned(column, set(values))


def _plain(value: Json) -> bool:
    there = value is not UNKNOWN and value is not ABSENT and value is not None
    return there and is_scalar(value)


def _outside(column: Column, values: list[Json]) -> Iterator[Test]:
    allowed = {identity(value): value for value in values}
    # What is left out of few values is no accident only where each was seen often.
    if not 2 <= len(allowed) <= FEW or len(values) < SEEN_EACH * len(allowed):
        return
    truths = tuple(
        None if v is UNKNOWN else _plain(v) and identity(v) not in allowed for v in column.values
    )
    among = [drafts.constant(allowed[mark]) for mark in sorted(allowed, key=repr)]
    expr = drafts.apply("outside", column.expr, drafts.sequence(among))
    yield Test(expr, truths, column.cost + 2 + len(allowed))


def _unsigned(column: Column, values: set[str]) -> Iterator[Test]:
    if len(values) < FEWEST_SIGNED:
        return
    for sign in sorted(set.intersection(*map(set, values))):
        if not sign.isalnum():
            truths = tuple(isinstance(v, str) and sign not in v for v in column.values)
            expr = drafts.apply("lacks", column.expr, drafts.constant(sign))
            yield Test(expr, truths, column.cost + 4)
