"""Levels: how deep a replay goes, as pieces of work that are planned once and done anywhere."""

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from envwright.agents.replay.findings import Comparison
from envwright.events.values import Value

ReplayLevel = Literal["state", "execution", "decision"]

LEVELS: tuple[ReplayLevel, ...] = ("state", "execution", "decision")
"""The shallowest first."""


class ReplayPlan(Value):
    """What a replay has to do."""

    tasks: tuple[Any, ...]
    """JSON values, in the order in which their results count."""
    first: tuple[int, ...] = ()
    """Indices of tasks to begin with, because they take long."""


class Level(Protocol):
    """One level of replay, on one log and one run."""

    def plan(self, run_id: str | None) -> ReplayPlan:
        """Divide the replay of a run, or of the whole log, into tasks.

        Raises:
            IntegrityError: what is to be replayed cannot be read.
            InfrastructureError: the log cannot be reached.
        """

    def check(self, task: Any, *, keep_going: bool) -> Comparison:
        """Do one task of the plan; it may stop at its first divergence unless told to keep going.

        Raises:
            InfrastructureError: the machine failed, which says nothing about the record.
        """


def in_order(plan: ReplayPlan) -> Sequence[int]:
    """Return the indices of a plan's tasks in the order in which they are begun."""
    rest = [index for index in range(len(plan.tasks)) if index not in plan.first]
    return [*plan.first, *rest]
