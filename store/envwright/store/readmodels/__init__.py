"""Read models: what commands and a console list, folded from the log; no handler reads one."""

from envwright.store.projections import Projection
from envwright.store.readmodels.costs import Costs
from envwright.store.readmodels.gates import Gates
from envwright.store.readmodels.packages import Packages
from envwright.store.readmodels.runs import Runs
from envwright.store.readmodels.trials import Trials
from envwright.store.readmodels.verdicts import Verdicts
from envwright.store.readmodels.yields import Yields

READ_MODELS: tuple[Projection, ...] = (
    Costs(),
    Gates(),
    Packages(),
    Runs(),
    Trials(),
    Verdicts(),
    Yields(),
)
"""All read models, in the order of their names."""

__all__ = [
    "READ_MODELS",
    "Costs",
    "Gates",
    "Packages",
    "Runs",
    "Trials",
    "Verdicts",
    "Yields",
]
