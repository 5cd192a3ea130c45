"""The random policy: calls that are valid and mean nothing; what it solves is too easy."""

from random import Random
from typing import Any

from pydantic import Field

from envwright.agents.solver.policies.knowledge import Knowledge
from envwright.agents.solver.policies.mentions import mentions_of
from envwright.agents.solver.policies.parameters import Slot, understand
from envwright.agents.solver.policies.policy import Action, seeded
from envwright.agents.solver.policies.shape import as_type, is_scalar
from envwright.events import Json
from envwright.events.values import Observation, TaskView, ToolCall, Value

_MADE_UP: dict[str, Json] = {"string": "", "integer": 0, "number": 0, "boolean": False}


class RandomSettings(Value):
    """Limits of the random policy; the defaults are ours."""

    max_turns: int = Field(default=8, ge=1)
    """The latest turn at which it answers."""
    optional_share: float = Field(default=0.3, ge=0.0, le=1.0)
    """How often it fills an argument that need not be filled."""


class RandomRun:
    """One attempt: some calls, then an answer at a turn drawn at the start."""

    def __init__(self, view: TaskView, settings: RandomSettings, chance: Random) -> None:
        self._settings = settings
        self._chance = chance
        self._tools = understand(view.tools)
        self._mentioned = [mention.value for mention in mentions_of(view.instruction)]
        self._knowledge = Knowledge()
        self._pending: tuple[ToolCall, ...] = ()
        self._left = chance.randint(1, settings.max_turns) - 1

    def act(self, observations: tuple[Observation, ...]) -> Action:
        """Take a turn."""
        for call, observation in zip(self._pending, observations, strict=False):
            self._knowledge.learn(call, observation)
        if self._left <= 0 or not self._tools:
            return Action(answer=str(self._drawn("string") or ""))
        self._left -= 1
        tool = self._chance.choice(self._tools)
        arguments = {
            slot.name: self._value(slot)
            for slot in tool.slots
            if slot.required or self._chance.random() < self._settings.optional_share
        }
        self._pending = (ToolCall(name=tool.name, arguments=arguments),)
        return Action(calls=self._pending)

    def _value(self, slot: Slot) -> Any:
        if slot.choices:
            return self._chance.choice(slot.choices)
        if slot.kind == "object":
            return {part.name: self._value(part) for part in slot.fields if part.required}
        if slot.kind == "array":
            count = self._chance.randint(1, 2) if slot.item else 0
            return [self._value(slot.item) for _ in range(count) if slot.item]
        drawn = self._drawn(slot.kind)
        return _MADE_UP.get(slot.kind) if drawn is None else drawn

    def _drawn(self, kind: str) -> Any:
        seen = [finding.value for finding in self._knowledge.findings]
        values = [value for value in (*self._mentioned, *seen) if is_scalar(value)]
        fitting = [fit for value in values if (fit := as_type(value, kind)) is not None]
        return self._chance.choice(fitting) if fitting else None


class RandomPolicy:
    """Draws calls from the schemas, with values of the instruction and of earlier results."""

    id = "random/1"
    privileged = False

    def __init__(self, settings: RandomSettings) -> None:
        self._settings = settings

    def start(self, view: TaskView, seed: int) -> RandomRun:
        """Begin an attempt."""
        return RandomRun(view, self._settings, seeded(self.id, view, seed))
