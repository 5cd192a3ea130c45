"""Updates: the fields that a write sets and the lists that it adds to, fitted on its samples."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.copies import copied
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.fitting import Knowledge
from envwright.recipes.toolspace.induction.keyed import fit_keyed
from envwright.recipes.toolspace.induction.phrasing import MisfitError, phrased
from envwright.recipes.toolspace.induction.predicates import telling
from envwright.recipes.toolspace.induction.procedures import arguments_in
from envwright.recipes.toolspace.induction.roots import Column, Values
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.induction.scopes import Scope, open_scope
from envwright.recipes.toolspace.induction.solving import mapped, solve
from envwright.recipes.toolspace.mining.entities import MOSTLY
from envwright.recipes.toolspace.values import ABSENT, alike, at, is_scalar, leaves, same
from envwright.sandbox.worlds import Argument, Assignment

_MOST_APPENDED = 4

Names = tuple[str, ...]


class Changes(NamedTuple):
    """What a write does to its row."""

    set: tuple[Assignment, ...]
    append: tuple[Assignment, ...]


def fit_changes(
    samples: Sequence[Sample],
    key_argument: str,
    free: Iterable[str],
    knowledge: Knowledge | None = None,
) -> Changes:
    """Return what the samples have in common; `free` are arguments that name no other row.

    Raises:
        MisfitError: naming the field that nothing explains.
    """
    found = Changes((), ())
    names = sorted({name for s in samples for row in (s.before, s.after) for name in row or {}})
    scope = knowledge.scope(samples) if knowledge else open_scope(samples)
    for name in names:
        found = _joined(found, _fit_place(scope, (name,)))
    unused = set(free) - used_arguments(found) - {key_argument}
    return _joined(found, Changes(tuple(_kept_fields(samples, sorted(unused))), ()))


def used_arguments(changes: Changes) -> set[str]:
    """Return the arguments that the written values depend on."""
    names: set[str] = set()
    for assignment in (*changes.set, *changes.append):
        names |= arguments_in(assignment.value)
    return names


def _joined(left: Changes, right: Changes) -> Changes:
    return Changes((*left.set, *right.set), (*left.append, *right.append))


def _fit_place(scope: Scope, path: Names) -> Changes:
    before = tuple(at(sample.before, path) for sample in scope.samples)
    after = tuple(at(sample.after, path) for sample in scope.samples)
    if all(map(_unchanged, before, after)):
        return Changes((), ())
    if any(value is ABSENT for value in after):
        raise MisfitError(f"{'.'.join(path)} is there after some calls only")
    for explain in (_as_copy, _as_fields, _as_longer_list, _as_named_items, _as_value):
        found = explain(scope, path, before, after)
        if found is not None:
            return found
    raise MisfitError(f"nothing explains {'.'.join(path)}")


def _unchanged(before: Json, after: Json) -> bool:
    if before is ABSENT or after is ABSENT:
        return before is after
    return same(before, after)


def _set(path: Names, draft: Draft) -> Changes:
    return Changes((Assignment(path=path, value=phrased(draft)),), ())


def _as_copy(scope: Scope, path: Names, before: Values, after: Values) -> Changes | None:
    found = copied(scope, after, path[-1])
    return _set(path, found.expr) if found is not None else None


def _as_fields(scope: Scope, path: Names, before: Values, after: Values) -> Changes | None:
    """Explain the change of an object field by field."""
    if not all(isinstance(value, dict) for value in (*before, *after)):
        return None
    found = Changes((), ())
    try:
        for name in sorted({name for value in (*before, *after) for name in value}):
            found = _joined(found, _fit_place(scope, (*path, name)))
    except MisfitError:
        return None
    return found


def _as_longer_list(scope: Scope, path: Names, before: Values, after: Values) -> Changes | None:
    if not all(map(_starts_alike, before, after)):
        return None
    added = tuple(a[len(b) :] for b, a in zip(before, after, strict=True))
    varies = len({len(items) for items in added}) > 1
    each = (copied(scope, added, "") if varies else None) or mapped(scope, added)
    if each is not None:
        return _set(path, drafts.joined(drafts.own_field(path), each.expr))
    counts = {len(items) for items in added}
    if len(counts) == 1 and max(counts) <= _MOST_APPENDED:
        return _appended(scope, path, added)
    return _sometimes_longer(scope, path, added) if 0 in counts and len(counts) == 2 else None


def _starts_alike(before: Json, after: Json) -> bool:
    lists = isinstance(before, list) and isinstance(after, list)
    return lists and len(after) >= len(before) and same(after[: len(before)], before)


def _appended(scope: Scope, path: Names, added: Values) -> Changes | None:
    found = []
    for index in range(len(added[0])):
        column = solve(scope, tuple(items[index] for items in added), path[-1])
        if column is None:
            return None
        found.append(Assignment(path=path, value=phrased(column.expr)))
    return Changes((), tuple(found))


def _sometimes_longer(scope: Scope, path: Names, added: Values) -> Changes | None:
    test = telling(scope, tuple(bool(items) for items in added))
    if test is None:
        return None
    grown = [frame for frame, items in enumerate(added) if items]
    column = solve(scope.narrowed(grown), tuple(added[frame] for frame in grown), path[-1])
    if column is None:
        return None
    old = drafts.own_field(path)
    longer = drafts.joined(old, column.expr)
    return _set(path, drafts.either(test.expr, longer, old))


def _as_named_items(scope: Scope, path: Names, before: Values, after: Values) -> Changes | None:
    place = Column(drafts.own_field(path), before, len(path))
    expr = fit_keyed(scope, place, after)
    return _set(path, expr) if expr is not None else None


def _as_value(scope: Scope, path: Names, before: Values, after: Values) -> Changes | None:
    found = solve(scope, after, path[-1])
    return _set(path, found.expr) if found is not None else None


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
