"""Tables: the rows of each entity as they were before anything was written to them."""

from collections import defaultdict
from dataclasses import dataclass, field

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Trace
from envwright.recipes.toolspace.mining.effects import Effect, named_in
from envwright.recipes.toolspace.mining.entities import Entity
from envwright.recipes.toolspace.mining.epochs import Spot, split_epochs
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.values import canonical_bytes, leaves

MOST_BYTES = 128 * 1024
"""Largest row that is kept (ours): a world takes no more, and a task could not be about it."""

DEEPEST = 48
"""Deepest place in a row that is kept (ours)."""


@dataclass
class Table:
    """The rows of an entity, one per key, and how sure they are."""

    entity: Entity
    reader: str
    """The tool that gives back whole rows by key."""
    rows: dict[str, Json] = field(default_factory=dict)
    conflicts: int = 0
    """Keys whose first observations in different traces differ."""
    sights: int = 0
    """First observations in the epoch that is used, one per key and task."""
    agreeing: int = 0
    """Those that saw the row that was kept."""
    recorded: frozenset[str] = frozenset()
    """Keys that one task alone saw: they are recorded, nothing confirms them."""
    epochs: int = 1
    """How many states of the world the log shows; the rows are of one."""

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.entity.name


def mine_tables(
    history: History, entities: list[Entity], effects: dict[str, Effect]
) -> dict[str, Table]:
    """Return the tables by name; an entity that nothing reads has none."""
    tables: dict[str, Table] = {}
    for entity in entities:
        readers = [t for t in entity.tools if effects[t] in ("read", "unproven")]
        readers = [t for t in readers if history.argument_names(t) == [entity.argument]]
        if readers:
            best = min(readers, key=lambda t: (-len(history.successes(t)), t))
            tables[entity.name] = Table(entity, best)
    writers = {tool for tool, effect in effects.items() if effect in ("write", "suspect")}
    by_reader = {table.reader: table for table in tables.values()}
    seen = [_first_sights(trace, by_reader, writers) for trace in history.traces]
    sights = [{spot: canonical_bytes(row) for spot, row in one.items()} for one in seen]
    epochs = split_epochs(sights, [trace.task for trace in history.traces])
    for table in tables.values():
        table.epochs = epochs.shown
    tasks: dict[Spot, set[str]] = defaultdict(set)
    states: dict[Spot, set[bytes]] = defaultdict(set)
    for number, trace in enumerate(history.traces):
        for spot, row in seen[number].items():
            states[spot].add(sights[number][spot])
            if number in epochs.used:
                tables[spot[0]].rows[spot[1]] = row
                tasks[spot].add(trace.task)
    for name, table in tables.items():
        _settle(table, {key: tasks[name, key] for key in sorted(table.rows)})
        table.conflicts = sum(len(states[spot]) > 1 for spot in states if spot[0] == name)
    return {name: table for name, table in tables.items() if table.rows}


def _first_sights(
    trace: Trace, by_reader: dict[str, Table], writers: set[str]
) -> dict[Spot, dict[str, Json]]:
    """Return the rows that a trace saw before anything was written to them."""
    written: set[str] = set()
    sights: dict[Spot, dict[str, Json]] = {}
    for call in trace.calls:
        if not call.ok:
            continue
        if call.tool in writers:
            written |= named_in(call.arguments) | named_in(call.value)
        table = by_reader.get(call.tool)
        key = table.entity.key(call.tool, call.arguments) if table else None
        if table is None or key is None or key in written or (table.name, key) in sights:
            continue
        if isinstance(call.value, dict) and _fits(call.value):
            sights[table.name, key] = call.value
    return sights


def _fits(row: Json) -> bool:
    deep = any(len(leaf.path) > DEEPEST for leaf in leaves(row))
    return not deep and len(canonical_bytes(row)) <= MOST_BYTES


def _settle(table: Table, tasks: dict[str, set[str]]) -> None:
    table.rows = {key: table.rows[key] for key in sorted(table.rows)}
    table.sights = table.agreeing = sum(len(seen) for seen in tasks.values())
    table.recorded = frozenset(key for key, seen in tasks.items() if len(seen) == 1)
