"""The searcher's parts, put together for one instruction at the storefront."""

from random import Random
from typing import Any

from envwright.agents.solver.policies.evidence import Evidence
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.goals import Goal, GoalFinder, verbs_of
from envwright.agents.solver.policies.instruction import read
from envwright.agents.solver.policies.knowledge import Knowledge
from envwright.agents.solver.policies.parameters import Slot, understand
from envwright.agents.solver.policies.vocabulary import stems
from envwright.events.values import Observation, ToolCall
from support.storefront import CUSTOMERS, ORDERS, TOOLS

RESULTS: tuple[tuple[str, dict[str, Any], Any], ...] = (
    ("get_customer_details", {"customer_id": "ada_low_1"}, CUSTOMERS["ada_low_1"]),
    *(("get_order_details", {"order_id": key}, ORDERS[key]) for key in ("#W1", "#W2", "#W3")),
)
"""What a policy knows that has read Ada Low's rows."""


class Search:
    """An instruction with the storefront's tools and, unless said otherwise, Ada Low's rows."""

    def __init__(self, text: str, results: tuple[Any, ...] = RESULTS, seed: int = 0) -> None:
        self.tools = understand(TOOLS)
        self.instruction = read(text, verbs_of(self.tools))
        heard = {*stems(text), *(stem for tool in self.tools for stem in tool.stems)}
        self.knowledge = Knowledge(frozenset(heard))
        for name, arguments, value in results:
            call = ToolCall(name=name, arguments=arguments)
            self.knowledge.learn(call, Observation(ok=True, value=value))
        self.evidence = Evidence(self.instruction, self.knowledge, Random(seed))

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What the instruction asks for."""
        return GoalFinder(self.tools, self.instruction).find()

    def focus(self, tool: str) -> Focus:
        """Return the goal's focus on a tool, or all of the instruction if it is no goal."""
        for goal in self.goals:
            if goal.focus.tool.name == tool:
                return goal.focus
        chosen = next(each for each in self.tools if each.name == tool)
        return Focus(chosen, self.instruction, self.instruction.clauses)

    def slot(self, tool: str, name: str) -> Slot:
        """Return a slot of a tool."""
        return next(slot for slot in self.focus(tool).tool.slots if slot.name == name)

    def best(self, tool: str, name: str) -> Any:
        """Return the value that speaks most for itself in a slot."""
        slot = self.slot(tool, name)
        return self.evidence.candidates(slot.item or slot, self.focus(tool))[0].value
