"""The searcher: reads what it can reach, binds what was asked for, changes it, and answers."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from pydantic import Field

from envwright.agents.solver.policies.answers import Answerer
from envwright.agents.solver.policies.binding import Binding, bindings
from envwright.agents.solver.policies.evidence import Evidence
from envwright.agents.solver.policies.filling import Banned
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.goals import Goal, GoalFinder, verbs_of
from envwright.agents.solver.policies.instruction import read
from envwright.agents.solver.policies.knowledge import Knowledge
from envwright.agents.solver.policies.parameters import Lore, Tool, understand
from envwright.agents.solver.policies.policy import Action, seeded
from envwright.agents.solver.policies.shape import is_scalar, value_key
from envwright.agents.solver.policies.vocabulary import stems
from envwright.events import digest
from envwright.events.values import Observation, TaskView, ToolCall, Value


class SearcherSettings(Value):
    """Limits of the searcher; the defaults are ours."""

    max_reading_turns: int = Field(default=8, ge=0)
    """Turns spent on reading before the first change, and again after each change."""
    reads_per_turn: int = Field(default=6, ge=1)
    reads_per_tool: int = Field(default=12, ge=0)
    tries_per_goal: int = Field(default=4, ge=1)
    """Calls for one change before it is given up."""
    combinations_per_tool: int = Field(default=3, ge=1)
    """Ways in one turn to fill a reading call that takes several values."""
    reading_floor: float = 2.0
    """Least evidence for an argument of a reading call."""
    guessing_floor: float = 1.4
    """The same when nothing better is left to read."""
    acting_floor: float = 1.0
    """Least evidence for an argument of a changing call."""
    retries: int = Field(default=2, ge=0)
    """How often a call is made again whose failure may pass by itself."""


_PASSING = re.compile(
    r"\b(?:429|50[234]|timed? ?out|temporar\w+|unavailable|rate limit\w*|too many requests|"
    r"try (?:it )?again|overloaded|busy)\b",
    re.IGNORECASE,
)
"""What errors say that a service gives when the same call may succeed a moment later."""


def _key(call: ToolCall) -> str:
    return digest([call.name, call.arguments])


class SearcherRun:
    """One attempt: reading, then one change after the other, then the answer."""

    def __init__(
        self, view: TaskView, settings: SearcherSettings, chance: Random, lore: Lore | None = None
    ) -> None:
        self._settings = settings
        self._tools = understand(view.tools, lore)
        self._instruction = read(view.instruction, verbs_of(self._tools))
        heard = {*stems(view.instruction), *(stem for tool in self._tools for stem in tool.stems)}
        self._knowledge = Knowledge(frozenset(heard))
        self._evidence = Evidence(self._instruction, self._knowledge, chance)
        self._goals = list(GoalFinder(self._tools, self._instruction).find())
        self._tried = 0
        self._reading = {
            tool.name: Focus(tool, self._instruction, self._instruction.clauses)
            for tool in self._tools
            if tool.reads
        }
        self._pending: tuple[ToolCall, ...] = ()
        self._again: list[ToolCall] = []
        self._failures: Counter[str] = Counter()
        self._made: set[str] = set()
        self._reads_of: Counter[str] = Counter()
        self._reading_turns = 0

    def act(self, observations: tuple[Observation, ...]) -> Action:
        """Take a turn."""
        self._learn(observations)
        if self._again:
            return self._call(tuple(self._again), "Trying again what failed in passing.")
        if self._reading_turns < self._settings.max_reading_turns:
            self._reading_turns += 1
            calls = self._reads(self._settings.reading_floor)
            calls = calls or self._reads(self._settings.guessing_floor)
            if calls:
                self._reads_of.update(call.name for call in calls)
                return self._call(tuple(calls), "Reading what can be reached from what is known.")
        while self._goals:
            call = self._change(self._goals[0])
            if call is not None:
                self._tried += 1
                return self._call((call,), f"Asked for by {self._goals[0].focus.text!r:.120}.")
            self._next_goal()
        return Action(answer=Answerer(self._instruction, self._knowledge).answer() or "Done.")

    def _change(self, goal: Goal) -> ToolCall | None:
        if self._tried >= self._settings.tries_per_goal:
            return None
        for binding in self._ways(goal):
            call = ToolCall(name=goal.focus.tool.name, arguments=binding.arguments)
            if _key(call) not in self._made:
                return call
        return None

    def _ways(self, goal: Goal) -> Iterator[Binding]:
        return bindings(self._evidence, goal.focus, self._settings.acting_floor, goal.banned)

    def _next_goal(self) -> None:
        self._goals.pop(0)
        self._tried = 0

    def _call(self, calls: tuple[ToolCall, ...], thought: str) -> Action:
        self._pending = calls
        self._made.update(_key(call) for call in calls)
        return Action(calls=calls, thought=thought)

    def _learn(self, observations: tuple[Observation, ...]) -> None:
        self._again = []
        for call, observation in zip(self._pending, observations, strict=False):
            if self._may_pass(call, observation):
                self._again.append(call)
                continue
            self._knowledge.learn(call, observation)
            if self._goals and observation.ok and call.name == self._goals[0].focus.tool.name:
                self._evidence.recalled.update(
                    value_key(value) for value in call.arguments.values() if is_scalar(value)
                )
                self._next_goal()
                self._reading_turns = 0
        self._pending = ()

    def _may_pass(self, call: ToolCall, observation: Observation) -> bool:
        """Say whether a call failed for a reason that says nothing of it, and not too often."""
        if observation.ok or not _PASSING.search(str(observation.value)):
            return False
        self._failures[_key(call)] += 1
        return self._failures[_key(call)] <= self._settings.retries

    def _reads(self, floor: float) -> list[ToolCall]:
        """Return the reading calls to make now, the best supported first."""
        found = [pair for focus in self._worth_reading() for pair in self._reads_with(focus, floor)]
        found.sort(key=lambda pair: (-pair[0], pair[1].name))
        return [call for _, call in found[: self._settings.reads_per_turn]]

    def _worth_reading(self) -> Iterable[Focus]:
        return self._reading.values()

    def _passed_over(self, tool: Tool) -> Banned:
        """Return the values that a reading tool need not be called with."""
        del tool
        return frozenset()

    def _reads_with(self, focus: Focus, floor: float) -> Iterator[tuple[float, ToolCall]]:
        left = self._settings.reads_per_tool - self._reads_of[focus.tool.name]
        if len(focus.tool.required) > 1:
            # Combinations of doubtful values multiply, and few of them mean anything.
            left = min(left, self._settings.combinations_per_tool)
        banned = self._passed_over(focus.tool)
        ways = bindings(self._evidence, focus, floor, banned) if left > 0 else ()
        seen = set(self._made)
        for binding in ways:
            call = ToolCall(name=focus.tool.name, arguments=binding.arguments)
            if _key(call) not in seen and left > 0:
                seen.add(_key(call))
                left -= 1
                yield binding.weakest, call


class Searcher:
    """An unprivileged solver: it knows the instruction, the schemas and what calls return."""

    id = "searcher/1"
    privileged = False

    def __init__(self, settings: SearcherSettings) -> None:
        self._settings = settings

    def start(self, view: TaskView, seed: int) -> SearcherRun:
        """Begin an attempt."""
        return SearcherRun(view, self._settings, seeded(self.id, view, seed))
