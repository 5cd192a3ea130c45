"""Choices: two expressions and a predicate that tells which of them gives a value."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.arithmetic import forms, is_number, numbers
from envwright.recipes.toolspace.induction.predicates import tests
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column, Values
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.values import ABSENT, identity, is_scalar, same

FEWEST_FRAMES = 4
BRANCH_TASKS = 2
"""Fewest distinct tasks on either side of a choice (ours)."""

_MOST_CONSTANTS = 3


class _Side(NamedTuple):
    """An expression that gives some of the targets, and the frames on which it does, as bits."""

    frames: int
    column: Column


def chosen(scope: Scope, targets: Values, name: str) -> Column | None:
    """Return the cheapest choice between two copies, constants or numbers, or None."""
    if len(targets) < FEWEST_FRAMES or not all(map(is_scalar, targets)):
        return None
    sides = _sides(scope, targets)
    best: Column | None = None
    for test in tests(scope):
        if best is not None and test.cost >= best.cost:
            break
        if None in test.truths or not _supported(scope, test.truths):
            continue
        yes = _covering(sides, _bits(test.truths))
        no = _covering(sides, _bits(not truth for truth in test.truths)) if yes else None
        if yes is None or no is None:
            continue
        cost = test.cost + yes.cost + no.cost + 3
        if best is None or cost < best.cost:
            expr = drafts.either(test.expr, yes.expr, no.expr)
            best = Column(expr, targets, cost, name)
    return best


def _supported(scope: Scope, truths: Iterable[bool | None]) -> bool:
    sides: dict[bool | None, set[str]] = {True: set(), False: set()}
    for task, truth in zip(scope.tasks, truths, strict=True):
        sides[truth].add(task)
    return all(len(tasks) >= BRANCH_TASKS for tasks in sides.values())


def _bits(truths: Iterable[Json]) -> int:
    return sum(1 << frame for frame, truth in enumerate(truths) if truth)


def _sides(scope: Scope, targets: Values) -> list[_Side]:
    constants = {identity(target): target for target in targets}
    counts = Counter(map(identity, targets))
    usual = sorted(constants, key=lambda key: (-counts[key], repr(key)))[:_MOST_CONSTANTS]
    columns = [
        Column(drafts.constant(constants[key]), (constants[key],) * len(targets), 1)
        for key in usual
    ]
    columns += scope.columns((str, bool, int, float))
    if all(map(is_number, targets)):
        columns += [shaped for column in numbers(scope) for shaped in forms(column)]
    sides = [_Side(_bits(map(_gives, column.values, targets)), column) for column in columns]
    useful = [side for side in sides if side.frames.bit_count() >= BRANCH_TASKS]
    return sorted(useful, key=lambda side: (side.column.cost, repr(side.column.expr)))


def _gives(value: Json, target: Json) -> bool:
    return value is not UNKNOWN and value is not ABSENT and same(value, target)


def _covering(sides: list[_Side], frames: int) -> Column | None:
    return next((side.column for side in sides if side.frames & frames == frames), None)
