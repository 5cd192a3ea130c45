"""Copies: values that stand somewhere already, and constants, in the order of how much they claim.

An argument of the field's name is better than a constant, and a constant is better than a
coincidence: what few calls gave alike may differ in the next one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column, Root, Values
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    alike,
    identity,
    is_scalar,
    leaves,
    same,
)

_TRIED = 3
"""How many frames give candidates: more than one, so that an odd one hides nothing."""

_DEEPEST = 3

_CONSTANT, _KEY, _SORTED = 20, 32, 35
_NAMED = {"arguments": 10, "item": 11, "row": 40, "reached": 45}
_UNNAMED = {"arguments": 30, "item": 31, "row": 50, "reached": 60}
_OWN_FIELD = 15
"""A field of the row with exactly the name that is written, outside any list."""


class _Candidate(NamedTuple):
    rank: tuple[int, int, str]
    column: Column


def copied(scope: Scope, targets: Values, name: str) -> Column | None:
    """Return the best copy or constant that gives the targets, or None."""
    for candidate in sorted(_candidates(scope, targets, name), key=lambda item: item.rank):
        if holds(candidate.column.values, targets):
            return candidate.column
    return None


def holds(values: Values, targets: Values) -> bool:
    """Say whether values are the targets wherever they are known, which must be often."""
    known = 0
    for value, target in zip(values, targets, strict=True):
        if value is UNKNOWN:
            continue
        if value is ABSENT or not same(value, target):
            return False
        known += 1
    return 2 * known >= len(targets)


def _candidates(scope: Scope, targets: Values, name: str) -> Iterator[_Candidate]:
    first = targets[0]
    if all(same(first, target) for target in targets):
        constant = Column(drafts.constant(first), (first,) * len(targets), 1, name, varies=False)
        yield _Candidate((_CONSTANT, 0, ""), constant)
    for root in scope.roots:
        for path in _proposed(root, targets):
            column = root.column(path)
            yield _Candidate(_rank(root, path, column, name), column)
    if scope.depth == 0 and all(isinstance(target, str) for target in targets):
        keys = tuple(sample.key for sample in scope.samples)
        yield _Candidate((_KEY, 0, ""), Column(drafts.own_key(), keys, 1))
    if all(isinstance(target, list) for target in targets):
        yield from _ordered(scope)


def _proposed(root: Root, targets: Values) -> set[Path]:
    paths: set[Path] = set()
    for frame in range(0, len(targets), max(1, len(targets) // _TRIED)):
        value, target = root.values[frame], targets[frame]
        if value is not UNKNOWN and value is not ABSENT:
            paths.update(_places(value, target))
    if root.kind != "item":
        paths.discard(())
    if root.kind == "reached":
        return {path for path in paths if not any(isinstance(step, int) for step in path)}
    return paths


def _places(value: Json, target: Json) -> Iterator[Path]:
    if not is_scalar(target):
        yield from _alike(value, target, ())
        return
    wanted = identity(target)
    for leaf in leaves(value):
        if identity(leaf.value) == wanted:
            yield leaf.path


def _alike(value: Json, target: Json, path: Path) -> Iterator[Path]:
    if type(value) is type(target) and same(value, target):
        yield path
    if isinstance(value, dict) and len(path) < _DEEPEST:
        for name in sorted(value):
            yield from _alike(value[name], target, (*path, name))


def _rank(root: Root, path: Path, column: Column, name: str) -> tuple[int, int, str]:
    indexes = sum(isinstance(step, int) for step in path)
    named = bool(name and column.name) and alike(column.name, name)
    base = _NAMED[root.kind] if named else _UNNAMED[root.kind]
    if root.kind == "row" and column.name == name and not indexes:
        base = _OWN_FIELD
    return base + (not root.own), column.cost + indexes, repr(path)


def _ordered(scope: Scope) -> Iterator[_Candidate]:
    for column in scope.columns((list,)):
        values = tuple(map(_in_order, column.values))
        expr = drafts.in_order(column.expr)
        yield _Candidate((_SORTED, column.cost, ""), column._replace(expr=expr, values=values))


def _in_order(value: Json) -> Json:
    # Only texts: how other values sort is the interpreter's business.
    if value is UNKNOWN:
        return UNKNOWN
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return sorted(value) if texts else ABSENT
