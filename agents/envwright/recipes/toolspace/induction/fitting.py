"""Fitting: the simplest expression that gives the observed values from what a call could see."""

from collections.abc import Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction.phrasing import phrased
from envwright.recipes.toolspace.induction.reach import RowOf
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.induction.scopes import Scope, open_scope
from envwright.recipes.toolspace.induction.solving import solve
from envwright.recipes.toolspace.values import same
from envwright.sandbox.worlds import Expr, RowAfter


class Target(NamedTuple):
    """A value that an expression should give on a sample."""

    sample: Sample
    value: Json


class Knowledge(NamedTuple):
    """What a log knows of other rows when a program is fitted."""

    row_of: RowOf
    tables: tuple[str, ...]

    def scope(self, samples: Sequence[Sample]) -> Scope:
        """Return the scope of calls that may look these rows up."""
        return open_scope(samples, self.row_of, self.tables)


def fit(
    targets: Sequence[Target], name: str, returns: bool = False, knowledge: Knowledge | None = None
) -> Expr | None:
    """Return the best expression for the values of a field, or None.

    `returns` allows the row after the call, which a written value cannot use.
    """
    if not targets:
        return None
    if returns and all(t.sample.after is not None for t in targets) and _rows_after(targets):
        return RowAfter()
    samples = [target.sample for target in targets]
    scope = knowledge.scope(samples) if knowledge else open_scope(samples)
    found = solve(scope, tuple(target.value for target in targets), name)
    return phrased(found.expr) if found is not None else None


def _rows_after(targets: Sequence[Target]) -> bool:
    return all(same(target.sample.after, target.value) for target in targets)
