"""Creates: tools that add a row whose every field is given, constant, or the key."""

from collections.abc import Sequence

from envwright.recipes.toolspace.induction.fitting import Target, fit
from envwright.recipes.toolspace.induction.phrasing import MisfitError
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.sandbox.worlds import Argument, Create, Expr, ObjectOf


def fit_create(samples: Sequence[Sample], table: str, argument: str, exists: str) -> Create:
    """Return the program of a tool that adds rows under the key that `argument` holds.

    Raises:
        MisfitError: a field is neither given nor constant, or the result is not explained.
    """
    rows = [Target(sample, sample.after) for sample in samples]
    names = sorted({name for sample in samples for name in sample.after or {}})
    fields: dict[str, Expr] = {}
    for name in names:
        targets = [Target(s, t[name]) for s, t in rows if t is not None and name in t]
        expr = fit(targets, name)
        if expr is None:
            raise MisfitError(f"nothing explains {name}")
        fields[name] = expr
    returns = fit([Target(sample, sample.value) for sample in samples], "", returns=True)
    if returns is None:
        raise MisfitError("nothing explains the result")
    return Create(
        table=table,
        key=Argument(path=(argument,)),
        exists=exists,
        row=ObjectOf(fields=fields),
        returns=returns,
    )
