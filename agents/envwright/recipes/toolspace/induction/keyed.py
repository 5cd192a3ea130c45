"""Keyed changes: items of a list that arguments name are replaced, the others stay as they are."""

from collections.abc import Iterator
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.arithmetic import walks
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.roots import Column, Values
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.induction.solving import solve
from envwright.recipes.toolspace.values import is_key_value, same


class _Naming(NamedTuple):
    """Lists that name, by a field, every item that changed; the first holds the names."""

    field: str
    lists: tuple[Column, ...]


def fit_keyed(scope: Scope, place: Column, after: Values) -> Draft | None:
    """Return the list after as the list at `place` with the named items replaced, or None."""
    if not all(map(_matching, place.values, after)):
        return None
    for naming in _namings(scope, place.values, after):
        inner = scope.within([column.values for column in naming.lists])
        targets = tuple(
            _new(place.values[owner], after[owner], naming.field, key)
            for owner, key in zip(inner.owners, inner.given[0].values, strict=True)
        )
        if not targets or not all(isinstance(target, dict) for target in targets):
            continue
        body = solve(inner, targets, "")
        if body is not None:
            return drafts.replaced(
                place.expr, naming.field, [c.expr for c in naming.lists], scope.depth, body.expr
            )
    return None


def _matching(before: Json, after: Json) -> bool:
    lists = isinstance(before, list) and isinstance(after, list)
    return lists and len(before) == len(after) and all(isinstance(item, dict) for item in before)


def _namings(scope: Scope, before: Values, after: Values) -> Iterator[_Naming]:
    fields = sorted({name for items in before for item in items for name in item})
    groups = list(walks(_orders(scope)))
    groups.sort(key=lambda group: (-len(group), sum(c.cost for c in group)))
    for field in fields:
        for group in groups:
            if all(map(_names_changed, before, after, group[0].values, [field] * len(before))):
                yield _Naming(field, group)


def _orders(scope: Scope) -> list[Column]:
    lists = scope.lists()
    return [c for c in lists if all(isinstance(v, list) for v in c.values)]


def _names_changed(before: Json, after: Json, names: Json, field: str) -> bool:
    held = [item.get(field) for item in before]
    if not all(map(is_key_value, [*held, *names])):
        return False
    changed = {key for key, b, a in zip(held, before, after, strict=True) if not same(b, a)}
    once = all(held.count(name) == 1 for name in names)
    return once and changed <= set(names)


def _new(before: Json, after: Json, field: str, key: Json) -> Json:
    return next(a for b, a in zip(before, after, strict=True) if b.get(field) == key)
