"""Solving: the cheapest expression over a scope that gives the observed values on every frame."""

from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.arithmetic import fit_number, is_number, walks
from envwright.recipes.toolspace.induction.choices import chosen
from envwright.recipes.toolspace.induction.copies import copied
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column, Values
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.induction.texts import templated

_LONGEST = 8


def solve(scope: Scope, targets: Values, name: str) -> Column | None:
    """Return an expression for the targets, or None; `name` is the field they go to."""
    if not targets:
        return None
    return (
        copied(scope, targets, name)
        or _number(scope, targets)
        or _object(scope, targets)
        or mapped(scope, targets)
        or _fixed_list(scope, targets)
        or templated(scope, targets)
        or chosen(scope, targets, name)
    )


def _number(scope: Scope, targets: Values) -> Column | None:
    return fit_number(scope, targets) if all(map(is_number, targets)) else None


def _object(scope: Scope, targets: Values) -> Column | None:
    shapes = {tuple(sorted(t)) if isinstance(t, dict) else () for t in targets}
    if len(shapes) > 1 or not (names := shapes.pop()):
        return None
    fields: dict[str, Column] = {}
    for name in names:
        column = solve(scope, tuple(target[name] for target in targets), name)
        if column is None:
            return None
        fields[name] = column
    expr = drafts.fields({name: column.expr for name, column in fields.items()})
    return _composed(expr, targets, list(fields.values()))


def _fixed_list(scope: Scope, targets: Values) -> Column | None:
    lengths = {len(t) if isinstance(t, list) else 0 for t in targets}
    if len(lengths) > 1 or not 0 < (length := lengths.pop()) <= _LONGEST:
        return None
    items: list[Column] = []
    for index in range(length):
        column = solve(scope, tuple(target[index] for target in targets), "")
        if column is None:
            return None
        items.append(column)
    return _composed(drafts.sequence([item.expr for item in items]), targets, items)


def mapped(scope: Scope, targets: Values) -> Column | None:
    """Return the list of what a body gives for each item of a list, or of two; or None."""
    if not all(isinstance(target, list) for target in targets):
        return None
    for group in walks(scope.lists()):
        known = [f for f in range(len(targets)) if all(c.values[f] is not UNKNOWN for c in group)]
        if not known or not all(_as_long(group, f, targets) for f in known):
            continue
        inner = scope.within([column.values for column in group])
        flat = tuple(item for frame in known for item in targets[frame])
        body = solve(inner, flat, "") if len(flat) == len(inner.samples) else None
        if body is not None and (body.varies or len({len(t) for t in targets}) > 1):
            lists = [column.expr for column in group]
            expr = drafts.walk("map", lists, scope.depth, body.expr)
            return _composed(expr, targets, [*group, body])
    return None


def _as_long(group: tuple[Column, ...], frame: int, targets: Values) -> bool:
    lists = [column.values[frame] for column in group]
    return all(isinstance(one, list) and len(one) == len(targets[frame]) for one in lists)


def _composed(expr: Draft, targets: Values, parts: list[Column]) -> Column:
    varies = any(part.varies for part in parts)
    return Column(expr, targets, sum(part.cost for part in parts) + 1, varies=varies)
