"""Texts: templates whose holes are values that a call could see."""

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.copies import holds
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Column, Values
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.values import ABSENT, is_scalar

_DEAREST = 4
"""Cost up to which a value may stand in a text."""

_SHORTEST = 2

_Part = str | Column


def templated(scope: Scope, targets: Values) -> Column | None:
    """Return the template that gives the texts, or None."""
    if not all(isinstance(target, str) for target in targets):
        return None
    parts: list[_Part] = [targets[0]]
    for column in _holes(scope, targets):
        parts = [piece for part in parts for piece in _cut(part, column)]
    holes = [part for part in parts if isinstance(part, Column)]
    if not holes:
        return None
    values = tuple(_filled(parts, frame) for frame in range(len(targets)))
    if not holds(values, targets):
        return None
    expr = drafts.template([p if isinstance(p, str) else p.expr for p in parts])
    return Column(expr, values, 2 + sum(column.cost for column in holes))


def _holes(scope: Scope, targets: Values) -> list[Column]:
    columns = [c for c in scope.columns((str, int, float)) if c.cost <= _DEAREST]
    fitting = [column for column in columns if _always_inside(column.values, targets)]
    return sorted(fitting, key=lambda c: (-len(written(c.values[0])), c.cost, repr(c.expr)))


def _always_inside(values: Values, targets: Values) -> bool:
    pairs = [(written(v), t) for v, t in zip(values, targets, strict=True) if v is not UNKNOWN]
    return len(pairs) == len(targets) and all(
        len(text) >= _SHORTEST and text in target for text, target in pairs
    )


def _cut(part: _Part, column: Column) -> list[_Part]:
    if isinstance(part, Column):
        return [part]
    pieces = part.split(written(column.values[0]))
    found: list[_Part] = []
    for number, piece in enumerate(pieces):
        found += [column] if number else []
        found += [piece] if piece else []
    return found


def _filled(parts: list[_Part], frame: int) -> str:
    return "".join(p if isinstance(p, str) else written(p.values[frame]) for p in parts)


def written(value: Json) -> str:
    """Return a value as it stands in a text; empty for what does not."""
    if value is UNKNOWN or value is ABSENT or not is_scalar(value) or value is None:
        return ""
    return value if isinstance(value, str) else "" if isinstance(value, bool) else str(value)
