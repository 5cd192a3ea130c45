"""Port of the Solver's policies: what a policy is given, and what it may do in a turn."""

from random import Random
from typing import Protocol

from envwright.events import digest
from envwright.events.values import Observation, TaskView, ToolCall, Value


class Action(Value):
    """What a policy does in one turn: calls, or an answer that ends the attempt."""

    calls: tuple[ToolCall, ...] = ()
    answer: str | None = None
    """The final answer; None while the policy still acts."""
    thought: str = ""


class PolicyRun(Protocol):
    """One attempt of a policy: its turns follow from the view, the seed and the observations."""

    def act(self, observations: tuple[Observation, ...]) -> Action:
        """Take a turn, knowing what the calls of the turn before gave back, in their order.

        The first turn is given nothing. An action without calls and without an answer is a turn
        spent on thought.

        Raises:
            InfrastructureError: what the policy itself rests on (a model) failed.
        """


class Policy(Protocol):
    """A way to attempt tasks; it sees a TaskView and observations and nothing else."""

    @property
    def id(self) -> str:
        """Name and version, such as `searcher/1`; what decides an attempt is part of it."""

    @property
    def privileged(self) -> bool:
        """Whether the policy uses knowledge that was mined from the sources of the task."""

    def start(self, view: TaskView, seed: int) -> PolicyRun:
        """Begin an attempt; equal views, seeds and observations give equal turns."""


def seeded(policy: str, view: TaskView, seed: int) -> Random:
    """Return the random source of an attempt, the same on every machine and in every process."""
    return Random(int(digest([policy, view.model_dump(mode="json"), seed]), 16))
