"""The searcher with the mined graph: privileged, it knows what feeds what and reads no more."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from random import Random

from envwright.agents.solver.policies.demand import Demand
from envwright.agents.solver.policies.filling import Banned
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.guidance import Guidance, Mined
from envwright.agents.solver.policies.instruction import says
from envwright.agents.solver.policies.knowledge import Described
from envwright.agents.solver.policies.parameters import Place, Slot, Tool
from envwright.agents.solver.policies.policy import PolicyRun, seeded
from envwright.agents.solver.policies.searcher import SearcherRun, SearcherSettings
from envwright.agents.solver.policies.shape import is_scalar, value_key
from envwright.events.values import TaskView, ToolCall


class GraphSearcherRun(SearcherRun):
    """One attempt of a searcher that reads only what the graph says can be of use."""

    def __init__(
        self, view: TaskView, settings: SearcherSettings, chance: Random, guidance: Guidance
    ) -> None:
        # Where the origins of arguments are known, the first way to combine them is the way.
        thrifty = settings.model_copy(update={"combinations_per_tool": 1})
        super().__init__(view, thrifty, chance, guidance.lore)
        self._demand = Demand(guidance, self._tools, self._instruction, self._knowledge)

    def _worth_reading(self) -> Iterable[Focus]:
        wanted = self._demand.wanted(self._goals)
        return [focus for name, focus in self._reading.items() if name in wanted]

    def _passed_over(self, tool: Tool) -> Banned:
        return frozenset(
            (slot.name, value)
            for slot in tool.required
            if slot.origins
            for value in self._untold(slot)
        )

    def _reads_with(self, focus: Focus, floor: float) -> Iterator[tuple[float, ToolCall]]:
        addresses = [slot.name for slot in focus.tool.slots if slot.is_email]
        for score, call in super()._reads_with(focus, floor):
            # Half an address is a likely reading of one, and a call in vain.
            if all("@" in str(call.arguments.get(name, "@")) for name in addresses):
                yield score, call

    def _untold(self, slot: Slot) -> frozenset[str]:
        """Return the keys of the values that nothing is said of, where of others much is."""
        places: dict[Place, dict[str, set[Described]]] = defaultdict(lambda: defaultdict(set))
        for finding in self._knowledge.findings:
            if finding.place in slot.origins and is_scalar(finding.value):
                assert finding.place is not None
                texts = self._knowledge.records[finding.record].texts
                places[finding.place][value_key(finding.value)].update(texts)
        untold: set[str] = set()
        told: set[str] = set()
        for values in places.values():
            known = {key: self._said_of(key, texts) for key, texts in values.items()}
            common = frozenset.intersection(*known.values())
            some = {key for key, texts in known.items() if texts - common}
            told |= some or set(known)
            untold |= set(known) - some if some else set()
        return frozenset(untold - told)

    def _said_of(self, key: str, texts: Iterable[Described]) -> frozenset[Described]:
        return frozenset(
            text
            for text in texts
            if value_key(text.text) != key and says(self._instruction.text, text.text) >= 0
        )


class GraphSearcher:
    """A privileged solver: what it is given was mined from the sources that tasks come from."""

    id = "searcher+graph/1 (privileged)"
    privileged = True

    def __init__(self, settings: SearcherSettings, mined: Mined | None) -> None:
        self._settings = settings
        self._mined = mined

    def start(self, view: TaskView, seed: int) -> PolicyRun:
        """Begin an attempt; without a graph it is the searcher's."""
        if self._mined is None:
            return SearcherRun(view, self._settings, seeded("searcher/1", view, seed))
        guidance = Guidance(self._mined, [tool.name for tool in view.tools])
        return GraphSearcherRun(view, self._settings, seeded(self.id, view, seed), guidance)
