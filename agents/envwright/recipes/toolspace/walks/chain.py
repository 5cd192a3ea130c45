"""The chain: asks of one user, drawn over the tool graph, each executed before the next is drawn.

A draw that leads nowhere is undone exactly and its tool is dead at that depth; after three dead
draws the chain gives up its last ask, after twenty of those it is abandoned.
"""

from collections.abc import Sequence
from random import Random

from envwright.events.values import Value
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.mining.graph import Edge
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.walks.asking import question
from envwright.recipes.toolspace.walks.binding import request
from envwright.recipes.toolspace.walks.inquiring import inquiry
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.necessary import necessary_calls
from envwright.recipes.toolspace.walks.story import Ask, Story
from envwright.recipes.toolspace.walks.walk import DeadEndError, Mark, Walk
from envwright.sandbox.worlds import World

DEAD_DRAWS = 3
"""Dead draws after which the last ask is given up."""

POPS = 20
"""Asks given up after which the chain is abandoned."""

POPS_BEYOND = 5
"""The same for a chain that is long enough, but shorter than was drawn for it (ours)."""

NOVELTY = 1.5
"""How much more likely a tool of a service or entity that the chain has not touched is."""

AGAIN = 0.6
"""How much less likely a tool is for every time that it was asked for already: many like asks are
one ask, said over and over (ours)."""

TOLD = 0.05
"""Weight of a tool that no edge leads to and whose arguments users say (ours)."""

POOLED = 0.5
"""Share of an edge's weight that counts for other tools that take keys of the same table (ours)."""


class Bounds(Value):
    """How long a chain may be, in necessary calls, and how boldly it is drawn."""

    least: int = 6
    most: int = 20
    temperature: float = 1.0


class Weights:
    """What the graph says of the tools that may come next."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._into: dict[str, list[Edge]] = {}
        self._pools: dict[str, list[Edge]] = {}
        for edge in knowledge.profile.graph.edges:
            if edge.kind == "retry":
                continue
            self._into.setdefault(edge.target, []).append(edge)
            tables = {knowledge.key_arguments(edge.target).get(t.input[0]) for t in edge.transfers}
            for table in sorted(table for table in tables if table):
                self._pools.setdefault(table, []).append(edge)

    def of(self, tool: str, walked: Sequence[str]) -> float:
        """Return the weight of a tool after those that were called; 0 where nothing leads to it."""
        direct = [edge.weight for edge in self._into.get(tool, []) if edge.source in walked]
        tables = self._knowledge.key_arguments(tool).values()
        pooled = [
            POOLED * edge.weight
            for table in tables
            for edge in self._pools.get(table, [])
            if edge.source in walked
        ]
        # Chains cross services over edges alone.
        near = split_key(tool)[0] in {split_key(name)[0] for name in walked}
        return max([*direct, *pooled], default=TOLD if near else 0.0)


class Chain:
    """One chain, from an entry to its last ask."""

    def __init__(self, knowledge: Knowledge, world: World, rng: Random, bounds: Bounds) -> None:
        self._knowledge = knowledge
        self._rng = rng
        self._bounds = bounds
        self._walk = Walk(knowledge, world, rng, bounds.most)
        self._weights = Weights(knowledge)
        self._asks: list[Ask] = []
        self._marks: list[tuple[Mark, str]] = []
        self._dead: set[tuple[int, str]] = set()

    def draw(self, entry: Entry, first: str) -> Story:
        """Return the story of a chain that enters there and whose first ask uses the tool.

        Raises:
            DeadEndError: the chain was abandoned.
        """
        self._walk.enter(entry)
        self._ask(first)
        target = self._rng.randint(self._bounds.least, self._bounds.most)
        return self._extend(entry, target)

    def _extend(self, entry: Entry, target: int) -> Story:
        """Draw asks up to the target; where it is out of reach the longest chain will do."""
        longest: Story | None = None
        pops = 0
        while len((story := self._story(entry)).calls) < target:
            if self._step():
                continue
            enough = max(self._bounds.least, 1 + len(longest.calls if longest else ()))
            longest = story if len(story.calls) >= enough else longest
            pops += 1
            if pops > (POPS if longest is None else POPS_BEYOND) or len(self._marks) < 2:
                if longest is None:
                    raise DeadEndError("nothing leads on")
                return longest
            self._pop()
        return story

    def _story(self, entry: Entry) -> Story:
        return Story(
            entry=entry,
            given=self._walk.given,
            places=tuple(self._walk.places),
            calls=tuple(made.call for made in necessary_calls(self._walk, self._asks)),
            asks=tuple(self._asks),
        )

    def _step(self) -> bool:
        """Add an ask; False after three dead draws, or where nothing is left to draw."""
        depth = len(self._asks)
        for _ in range(DEAD_DRAWS):
            tool = self._drawn(depth)
            if tool is None:
                return False
            try:
                self._ask(tool)
                return True
            except DeadEndError:
                self._dead.add((depth, tool))
        return False

    def _ask(self, tool: str) -> None:
        """Execute an ask; whatever it did is undone where it comes to nothing."""
        mark = self._walk.mark()
        before = len(self._walk.made)
        try:
            table = self._knowledge.questions.get(tool)
            if table is not None:
                ask: Ask = question(self._walk, table)
            elif tool in self._knowledge.recorded:
                ask = inquiry(self._walk, tool)
            else:
                ask = request(self._walk, tool, fresh=self._rng.random() < 0.5)
            if len(self._walk.made) == before:
                raise DeadEndError("it needs no call")
        except DeadEndError:
            self._walk.return_to(mark)
            raise
        self._asks.append(ask)
        self._marks.append((mark, tool))

    def _pop(self) -> None:
        mark, tool = self._marks.pop()
        self._walk.return_to(mark)
        self._asks.pop()
        depth = len(self._asks)
        self._dead = {dead for dead in self._dead if dead[0] <= depth}
        self._dead.add((depth, tool))

    def _drawn(self, depth: int) -> str | None:
        """Draw a live tool: P is proportional to its weight to the power 1/T."""
        walked = [made.tool for made in self._walk.made]
        tables = {place.table for place in self._walk.places}
        tools = [t for t in self._knowledge.goals if (depth, t) not in self._dead]
        weights = [self._weight(tool, walked, tables) for tool in tools]
        if not any(weights):
            return None
        return self._rng.choices(tools, weights)[0]

    def _weight(self, tool: str, walked: Sequence[str], tables: set[str]) -> float:
        weight = float(self._weights.of(tool, walked) ** (1 / self._bounds.temperature))
        weight *= AGAIN ** sum(asked == tool for _, asked in self._marks)
        return weight * NOVELTY if self._knowledge.table_of(tool) not in tables else weight
