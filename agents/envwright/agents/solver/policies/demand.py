"""Demand: which reading tools can still give what the goals and questions of a task need."""

from collections.abc import Iterable, Sequence

from envwright.agents.solver.policies.answers import question_of
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.goals import Goal
from envwright.agents.solver.policies.guidance import Guidance
from envwright.agents.solver.policies.instruction import Clause, Instruction
from envwright.agents.solver.policies.knowledge import Knowledge
from envwright.agents.solver.policies.parameters import Place, Slot, Tool


class Demand:
    """Follows the mined graph back from what is asked for to the tools that lead there."""

    def __init__(
        self,
        guidance: Guidance,
        tools: Sequence[Tool],
        instruction: Instruction,
        knowledge: Knowledge,
    ) -> None:
        self._guidance = guidance
        self._readers = {tool.name: tool for tool in tools if tool.reads}
        self._instruction = instruction
        self._knowledge = knowledge
        self._known: set[Place | None] = set()
        self._seen = 0
        self._wanted: set[str] = set()

    def wanted(self, goals: Iterable[Goal]) -> frozenset[str]:
        """Return the names of the reading tools that are worth a call now."""
        findings = self._knowledge.findings
        self._known |= {finding.place for finding in findings[self._seen :]}
        self._seen = len(findings)
        self._wanted = set()
        for goal in goals:
            self._for_goal(goal.focus)
        for clause in self._instruction.clauses:
            if clause.asks:
                self._for_question(clause)
        return frozenset(self._wanted)

    def _for_goal(self, focus: Focus) -> None:
        for slot in _all(focus.tool.slots):
            table = self._guidance.table_of(focus.tool.name, slot.name)
            if not (slot.identifies and focus.gives(slot)):
                self._want_origins(slot)
                self._want(self._guidance.reader(table) if table else None)
        for name in sorted(self._guidance.readers(focus.stems)):
            self._want(name)

    def _for_question(self, clause: Clause) -> None:
        said = self._guidance.readers(clause.stems)
        having = self._guidance.readers_of(question_of(clause).wanted)
        for name in sorted(said if said & having else said | having):
            self._want(name)

    def _want(self, name: str | None) -> None:
        if name is None or name in self._wanted or name not in self._readers:
            return
        self._wanted.add(name)
        for slot in self._readers[name].required:
            self._want_origins(slot)

    def _want_origins(self, slot: Slot) -> None:
        known = not self._known.isdisjoint(slot.origins)
        for place in sorted(slot.origins):
            # One that gives a single value is of no use once there is a value.
            if "*" in place.path or not known:
                self._want(place.tool)


def _all(slots: Iterable[Slot]) -> Iterable[Slot]:
    for slot in slots:
        yield slot
        yield from _all(slot.fields)
