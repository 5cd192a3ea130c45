"""Updates: the fields that a write sets and the lists that it adds to, fitted on its samples."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction.fitting import Target, fit, fit_whole
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.mining.entities import MOSTLY
from envwright.recipes.toolspace.values import ABSENT, alike, at, is_scalar, leaves, same
from envwright.sandbox.worlds import Argument, Assignment, Expr

_MOST_APPENDED = 4

Names = tuple[str, ...]


class MisfitError(Exception):
    """No expression of the language explains a change."""


class Changes(NamedTuple):
    """What a write does to its row."""

    set: tuple[Assignment, ...]
    append: tuple[Assignment, ...]


def fit_changes(samples: Sequence[Sample], key_argument: str, free: Iterable[str]) -> Changes:
    """Return what the samples have in common; `free` are arguments that name no other row.

    Raises:
        MisfitError: naming the field that nothing explains.
    """
    found = Changes((), ())
    names = sorted({name for s in samples for row in (s.before, s.after) for name in row or {}})
    for name in names:
        found = _joined(found, _fit_place(samples, (name,)))
    unused = set(free) - used_arguments(found) - {key_argument}
    return _joined(found, Changes(tuple(_kept_fields(samples, sorted(unused))), ()))


def used_arguments(changes: Changes) -> set[str]:
    """Return the arguments that the written values depend on."""
    names: set[str] = set()
    for assignment in (*changes.set, *changes.append):
        names |= arguments_in(assignment.value)
    return names


def arguments_in(expr: Expr) -> set[str]:
    """Return the arguments that an expression depends on."""
    own = {str(expr.path[0])} if isinstance(expr, Argument) else set()
    return own.union(*(arguments_in(part) for part in expr.parts()))


def _joined(left: Changes, right: Changes) -> Changes:
    return Changes((*left.set, *right.set), (*left.append, *right.append))


def _fit_place(samples: Sequence[Sample], path: Names) -> Changes:
    pairs = [(s, at(s.before, path), at(s.after, path)) for s in samples]
    still = [s for s, before, after in pairs if _unchanged(before, after)]
    if len(still) >= MOSTLY * len(pairs):
        return Changes((), ())
    present = [Target(s, after) for s, _, after in pairs if after is not ABSENT]
    if len(present) < MOSTLY * len(pairs):
        raise MisfitError(f"{'.'.join(path)} is there after some calls only")
    expr = fit_whole(present, path[-1])
    if expr is None:
        inner = _fit_inside(samples, path, pairs)
        if inner is not None:
            return inner
        expr = fit(present, path[-1])
    if expr is not None:
        return Changes((Assignment(path=path, value=expr),), ())
    raise MisfitError(f"nothing explains {'.'.join(path)}")


def _unchanged(before: Json, after: Json) -> bool:
    if before is ABSENT or after is ABSENT:
        return before is after
    return same(before, after)


def _fit_inside(
    samples: Sequence[Sample], path: Names, pairs: Sequence[tuple[Sample, Json, Json]]
) -> Changes | None:
    """Try to explain a change of an object by its fields, and of a list by what was added."""
    if all(isinstance(b, dict) and isinstance(a, dict) for _, b, a in pairs):
        names = sorted({name for _, b, a in pairs for name in (*b, *a)})
        found = Changes((), ())
        try:
            for name in names:
                found = _joined(found, _fit_place(samples, (*path, name)))
        except MisfitError:
            return None
        return found
    grown = [(s, b, a) for s, b, a in pairs if _grew(b, a)]
    if len(grown) < MOSTLY * len(pairs):
        return None
    counts = Counter(len(a) - len(b) for _, b, a in grown)
    count, support = max(counts.items(), key=lambda item: (item[1], -item[0]))
    if support < MOSTLY * len(pairs) or count > _MOST_APPENDED:
        return None
    usual = [(s, b, a) for s, b, a in grown if len(a) - len(b) == count]
    return _fit_appended(usual, path, count)


def _grew(before: Json, after: Json) -> bool:
    lists = isinstance(before, list) and isinstance(after, list)
    return lists and len(after) > len(before) and same(after[: len(before)], before)


def _fit_appended(
    grown: Sequence[tuple[Sample, Json, Json]], path: Names, count: int
) -> Changes | None:
    added = []
    for index in range(count):
        targets = [Target(s, after[len(before) + index]) for s, before, after in grown]
        expr = fit(targets, path[-1])
        if expr is None:
            return None
        added.append(Assignment(path=path, value=expr))
    return Changes((), tuple(added))


def _kept_fields(samples: Sequence[Sample], unused: Iterable[str]) -> Iterable[Assignment]:
    """Yield fields that never changed only because every call gave the value that was there."""
    for argument in unused:
        given = [s for s in samples if argument in s.arguments]
        if len(given) < MOSTLY * len(samples) or not is_scalar(given[0].arguments[argument]):
            continue
        paths = [
            leaf.path
            for leaf in leaves(given[0].after)
            if alike(str(leaf.path[-1]), argument)
            and all(isinstance(step, str) for step in leaf.path)
        ]
        for path in sorted(paths, key=lambda p: (p[-1] != argument, len(p), p)):
            hits = [s for s in given if same(at(s.after, path), s.arguments[argument])]
            if len(hits) >= MOSTLY * len(given):
                yield Assignment(path=path, value=Argument(path=(argument,)))
                break
