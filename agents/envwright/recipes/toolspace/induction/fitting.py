"""Fitting: the simplest expression that gives the observed values from what a call could see.

Candidates come from a few samples and are tried on all. An argument with the name of the field is
better than a constant, a constant is better than a coincidence: see `_rank`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.mining.entities import MOSTLY
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    alike,
    at,
    identity,
    same,
)
from envwright.sandbox.worlds import (
    Argument,
    Const,
    Expr,
    FieldOf,
    KeyOf,
    ListOf,
    ObjectOf,
    RowAfter,
    SortedOf,
)

_TRIED = 3
"""How many samples give candidates: more than one, so that an odd sample spoils nothing."""

_LONGEST_LIST = 8

Rank = tuple[int, int, str]


class Target(NamedTuple):
    """A value that an expression should give on a sample."""

    sample: Sample
    value: Json


class _Candidate(NamedTuple):
    rank: Rank
    expr: Expr
    gives: Callable[[Sample], Json]


def fit(targets: Sequence[Target], name: str, returns: bool = False) -> Expr | None:
    """Return the best expression for the values of a field, or None.

    `returns` allows the row after the call, which a written value cannot use.
    """
    if not targets:
        return None
    if returns and _holds(targets, lambda sample: sample.after):
        return RowAfter()
    return fit_whole(targets, name) or _fit_parts(targets, returns)


def fit_whole(targets: Sequence[Target], name: str) -> Expr | None:
    """Return the best expression that gives the values in one piece, or None."""
    fitting = [c for c in _candidates(targets, name) if _holds(targets, c.gives)]
    return min(fitting, key=lambda candidate: candidate.rank).expr if fitting else None


def _holds(targets: Sequence[Target], gives: Callable[[Sample], Json]) -> bool:
    misses, allowed = 0, (1 - MOSTLY) * len(targets)
    for target in targets:
        found = gives(target.sample)
        misses += found is ABSENT or not same(found, target.value)
        if misses > allowed:
            return False
    return True


def _candidates(targets: Sequence[Target], name: str) -> list[_Candidate]:
    found: dict[str, _Candidate] = {}
    for target in targets[:: max(1, len(targets) // _TRIED)][:_TRIED]:
        for candidate in _places(target, name):
            found.setdefault(repr(candidate.expr), candidate)
    common = Counter(identity(target.value) for target in targets).most_common(1)[0][0]
    value = next(t.value for t in targets if identity(t.value) == common)
    constant = _Candidate((1, 0, ""), Const(value=value), lambda _: value)
    return [*found.values(), constant]


def _places(target: Target, name: str) -> list[_Candidate]:
    sample, wanted = target.sample, identity(target.value)
    found = [
        _Candidate(_rank(path, name, 0, 2), Argument(path=path), _argument_at(path))
        for path in sample.argument_places.get(wanted, [])
    ]
    found += [
        _Candidate(_rank(path, name, 4, 5), FieldOf(path=path), _field_at(path))
        for path in sample.field_places.get(wanted, [])
    ]
    if isinstance(target.value, str) and target.value == sample.key:
        found.append(_Candidate((3, 0, ""), KeyOf(), lambda one: one.key))
    if isinstance(target.value, list):
        found += _sorted_places(target, name)
    return found


def _sorted_places(target: Target, name: str) -> list[_Candidate]:
    # Only texts: how other values sort is the interpreter's business.
    if not all(isinstance(item, str) for item in target.value):
        return []
    found = []
    for argument in sorted(target.sample.arguments):
        path = (argument,)
        gives = _sorted_at(path)
        if gives(target.sample) == target.value:
            expr = SortedOf(of=Argument(path=path))
            found.append(_Candidate(_rank(path, name, 0, 2, later=1), expr, gives))
    return found


def _rank(path: Path, name: str, named: int, other: int, later: int = 0) -> Rank:
    last = next((step for step in reversed(path) if isinstance(step, str)), "")
    return named if alike(last, name) else other, len(path) + later, repr(path)


def _argument_at(path: Path) -> Callable[[Sample], Json]:
    return lambda sample: at(sample.arguments, path)


def _field_at(path: Path) -> Callable[[Sample], Json]:
    return lambda sample: at(sample.before, path)


def _sorted_at(path: Path) -> Callable[[Sample], Json]:
    def gives(sample: Sample) -> Json:
        value = at(sample.arguments, path)
        texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return sorted(value) if texts else ABSENT

    return gives


def _fit_parts(targets: Sequence[Target], returns: bool) -> Expr | None:
    shapes = Counter(_shape(target.value) for target in targets)
    shape, count = max(shapes.items(), key=lambda item: (item[1], repr(item[0])))
    if count < MOSTLY * len(targets) or shape is None:
        return None
    fitting = [target for target in targets if _shape(target.value) == shape]
    if isinstance(shape, tuple):
        fields = {}
        for name in shape:
            parts = [Target(t.sample, t.value[name]) for t in fitting]
            fields[name] = fit(parts, name, returns)
        complete = {name: expr for name, expr in fields.items() if expr is not None}
        return ObjectOf(fields=complete) if len(complete) == len(fields) else None
    items = [
        fit([Target(t.sample, t.value[index]) for t in fitting], "", returns)
        for index in range(shape)
    ]
    found = tuple(item for item in items if item is not None)
    return ListOf(items=found) if len(found) == len(items) else None


def _shape(value: Json) -> tuple[str, ...] | int | None:
    if isinstance(value, dict):
        return tuple(sorted(value)) or None
    if isinstance(value, list) and 0 < len(value) <= _LONGEST_LIST:
        return len(value)
    return None
