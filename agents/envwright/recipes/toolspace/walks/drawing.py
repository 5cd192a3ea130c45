"""Drawing: what a slot asks for, and the stories that its seed gives for it, one after another."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal

from envwright.events.canonical import Json
from envwright.events.values import Value
from envwright.recipes.recipe import SlotOutcome, SlotRequest
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.values import ANY, Leaf, identity, key_text
from envwright.recipes.toolspace.walks.binding import request
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import Question, Request, Story
from envwright.recipes.toolspace.walks.traits import tellable
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk
from envwright.sandbox.worlds import Update

ATTEMPTS = 40
"""How often a slot may begin anew (ours)."""

PATIENCE = 20
"""Attempts after which one write will do where two were planned (ours)."""

FRUITLESS = 3
"""Slots of earlier rounds without an admission after which a tool is planned no more (ours)."""

FURTHER = 0.75
"""Share of questions that are about another row than the one that the user leads to (ours)."""

_KINDS: tuple[Literal["write", "writes", "question"], ...] = (
    "write",
    "writes",
    "write",
    "writes",
    "question",
)


class Plan(Value):
    """What a slot asks for."""

    kind: Literal["write", "writes", "question"]
    tool: str = ""
    """The tool of the first write."""
    environment_bytes: int = 128 * 1024
    """About how many bytes of rows the environment may hold."""


def plan_slot(
    knowledge: Knowledge, slot: SlotRequest, seed: str, history: Sequence[SlotOutcome]
) -> Plan:
    """Return the plan of a slot: the writes take turns, and fruitless ones are left out.

    Where nothing that is grounded writes, every slot asks a question.
    """
    fruitless = _fruitless(history)
    tools = [tool for tool in knowledge.writes if tool not in fruitless and _leads(knowledge, tool)]
    if not tools:
        return Plan(kind="question")
    rng = Random(seed)
    kind = _KINDS[(slot.ordinal + slot.round) % len(_KINDS)]
    if kind == "question":
        return Plan(kind=kind)
    # Every second slot goes through the tools in turn, so that a round of any size covers them.
    turn = slot.ordinal * len(_KINDS) // 4 + slot.round
    tool = tools[turn % len(tools)] if slot.ordinal % 2 == 0 else rng.choice(tools)
    return Plan(kind=kind, tool=tool)


def stories(knowledge: Knowledge, plan: Plan, seed: str) -> Iterator[Story]:
    """Yield the stories that a seed gives for a plan; a builder takes the first that holds."""
    rng = Random(seed)
    world = knowledge.open()
    try:
        for attempt in range(ATTEMPTS):
            world.reset(0)
            walk = Walk(knowledge, world, rng)
            try:
                yield _story(walk, plan, patient=attempt < PATIENCE)
            except DeadEndError:
                continue
    finally:
        world.close()


def _story(walk: Walk, plan: Plan, patient: bool) -> Story:
    entries = _entries(walk.knowledge, plan.tool)
    if not entries:
        raise DeadEndError("no entry leads to the rows that are needed")
    entry = walk.rng.choice(entries)
    walk.enter(entry)
    if plan.kind == "question":
        question = _question(walk, entry)
        requests: list[Request] = []
    else:
        question = None
        requests = [request(walk, plan.tool)]
        if plan.kind == "writes":
            second = _second(walk, plan.tool)
            if second is None and patient:
                raise DeadEndError("no second write follows")
            requests += [second] if second else []
    return Story(
        entry=entry,
        given=walk.given,
        places=tuple(walk.places),
        calls=tuple(walk.calls),
        requests=tuple(requests),
        question=question,
    )


def _second(walk: Walk, first: str) -> Request | None:
    tools = [tool for tool in walk.knowledge.writes if tool != first] or [first]
    walk.rng.shuffle(tools)
    for tool in tools:
        mark = walk.mark()
        try:
            return request(walk, tool, fresh=walk.rng.random() < 0.5)
        except DeadEndError:
            walk.return_to(mark)
    return None


def _fruitless(history: Sequence[SlotOutcome]) -> set[str]:
    tried: Counter[str] = Counter(str(one.plan.get("tool", "")) for one in history)
    admitted = {str(one.plan.get("tool", "")) for one in history if one.admitted}
    return {tool for tool, count in tried.items() if count >= FRUITLESS and tool not in admitted}


def _tables_of(knowledge: Knowledge, tool: str) -> set[str]:
    profile = knowledge.tool(tool)
    tables = {d.table for d in profile.domains.values() if d.kind in ("target", "key")}
    return tables | ({profile.program.table} if isinstance(profile.program, Update) else set())


def _leads(knowledge: Knowledge, tool: str) -> bool:
    return bool(_entries(knowledge, tool))


def _entries(knowledge: Knowledge, tool: str) -> list[Entry]:
    """Return the entries from which all rows that a tool needs can be reached."""
    tables = _tables_of(knowledge, tool) if tool else set()
    return [entry for entry in knowledge.entries() if tables <= knowledge.reach[entry.table]]


def _question(walk: Walk, entry: Entry) -> Question:
    others = sorted(walk.knowledge.reach[entry.table] - {entry.table})
    # Mostly about a row that has to be looked for.
    further = others and walk.rng.random() < FURTHER
    table = walk.rng.choice(others) if further else entry.table
    number = walk.reach(table, lambda _key, _row: True)
    row = walk.read(number)
    leaves = list(walk.knowledge.leaves(table, row))
    askable = [leaf for leaf in leaves if _askable(walk, number, leaf, leaves)]
    if not askable:
        raise DeadEndError(f"nothing to ask about {table}")
    leaf = walk.rng.choice(askable)
    return Question(place=number, path=leaf.path, value=leaf.value)


def _askable(walk: Walk, number: int, leaf: Leaf, leaves: list[Leaf]) -> bool:
    if ANY in leaf.pattern or not tellable(leaf, walk.hidden()):
        return False
    told = [trait.value for place in walk.places for trait in place.traits]
    known: list[Json] = [*walk.given.values(), *told]
    if any(identity(leaf.value) == identity(value) for value in known):
        return False
    table = walk.knowledge.table(walk.places[number].table)
    values = {
        identity(other.value)
        for row in list(table.rows.values())[:50]
        for other in walk.knowledge.leaves(walk.places[number].table, row)
        if other.pattern == leaf.pattern
    }
    return len(values) > 2 and key_text(leaf.value) not in walk.hidden()
