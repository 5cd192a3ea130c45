"""Drawing: what a slot asks for, and the stories that its seed gives for it, one after another."""

from collections.abc import Iterator, Sequence
from random import Random

from envwright.events.values import Value
from envwright.recipes.recipe import SlotOutcome, SlotRequest
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.walks.chain import Bounds, Chain
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import Story
from envwright.recipes.toolspace.walks.walk import DeadEndError

ATTEMPTS = 60
"""How often a slot may begin anew (ours)."""

FRUITLESS = 3
"""Slots of earlier rounds without an admission after which a tool is planned no more (ours)."""


class Plan(Value):
    """What a slot asks for."""

    tool: str
    """The tool of the first ask."""
    bounds: Bounds = Bounds()
    environment_bytes: int = 128 * 1024
    """About how many bytes of rows the environment may hold."""
    fault_rate: float = 0.2
    """Share of tasks in which a tool that the log shows is retried fails once (ours)."""


def plan_slot(
    knowledge: Knowledge, slot: SlotRequest, seed: str, history: Sequence[SlotOutcome]
) -> Plan:
    """Return the plan of a slot: the tools take turns, and those that bore no fruit fall behind."""
    tools = [tool for tool in knowledge.goals if _entries(knowledge, tool)]
    fruitful = [tool for tool in tools if _share(tool, history) > 0] or tools
    if not fruitful:
        return Plan(tool="")
    # Every second slot goes through the tools in turn, so that a round of any size covers them.
    turn = slot.ordinal // 2 + slot.round
    if slot.ordinal % 2 == 0:
        return Plan(tool=fruitful[turn % len(fruitful)])
    shares = [_share(tool, history) for tool in fruitful]
    return Plan(tool=Random(seed).choices(fruitful, shares)[0])


def _share(tool: str, history: Sequence[SlotOutcome]) -> float:
    """Return the share of a tool's slots that led to an admission; 0 once it is given up."""
    mine = [one for one in history if one.plan.get("tool") == tool]
    admitted = sum(one.admitted for one in mine)
    if not admitted and len(mine) >= FRUITLESS:
        return 0.0
    return (admitted + 1) / (len(mine) + 1)


def stories(knowledge: Knowledge, plan: Plan, seed: str) -> Iterator[Story]:
    """Yield the stories that a seed gives for a plan; a builder takes the first that holds."""
    rng = Random(seed)
    entries = _entries(knowledge, plan.tool) if plan.tool else []
    world = knowledge.open()
    try:
        for _ in range(ATTEMPTS if entries else 0):
            world.reset(0)
            chain = Chain(knowledge, world, rng, plan.bounds)
            try:
                yield chain.draw(rng.choice(entries), plan.tool)
            except DeadEndError:
                continue
    finally:
        world.close()


def _entries(knowledge: Knowledge, tool: str) -> list[Entry]:
    """Return the entries from which all rows that a tool needs can be reached.

    Where it needs none nothing leads there but the user's words, and those cross no service.
    """
    tables = set(knowledge.key_arguments(tool).values())
    near = split_key(tool)[0]
    return [
        entry
        for entry in knowledge.entries()
        if tables <= knowledge.reach[entry.table] and (tables or split_key(entry.tool)[0] == near)
    ]
