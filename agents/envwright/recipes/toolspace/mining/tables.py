"""Tables: the rows of each entity as they were before anything was written to them."""

from collections import defaultdict
from dataclasses import dataclass, field

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Trace
from envwright.recipes.toolspace.mining.effects import Effect, named_in
from envwright.recipes.toolspace.mining.entities import Entity
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.values import canonical_bytes, leaves

MOST_BYTES = 128 * 1024
"""Largest row that is kept (ours): a world takes no more, and a task could not be about it."""

DEEPEST = 48
"""Deepest place in a row that is kept (ours)."""

Votes = dict[bytes, set[str]]
"""Canonical row to the tasks that saw it."""


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
    """First observations, one per key and task."""
    agreeing: int = 0
    """Those that saw the row that was kept."""

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
    votes: dict[str, dict[str, Votes]] = {name: {} for name in tables}
    writers = {tool for tool, effect in effects.items() if effect in ("write", "suspect")}
    by_reader = {table.reader: table for table in tables.values()}
    for trace in history.traces:
        for reader, key, value in _first_sights(trace, by_reader, writers):
            held = votes[by_reader[reader].name].setdefault(key, defaultdict(set))
            held[canonical_bytes(value)].add(trace.task)
    for name, table in tables.items():
        _settle(table, votes[name], history)
    return {name: table for name, table in tables.items() if table.rows}


def _first_sights(
    trace: Trace, by_reader: dict[str, Table], writers: set[str]
) -> list[tuple[str, str, Json]]:
    written: set[str] = set()
    seen: set[tuple[str, str]] = set()
    sights: list[tuple[str, str, Json]] = []
    for call in trace.calls:
        if not call.ok:
            continue
        if call.tool in writers:
            written |= named_in(call.arguments) | named_in(call.value)
        table = by_reader.get(call.tool)
        key = table.entity.key(call.tool, call.arguments) if table else None
        if key is None or key in written or (call.tool, key) in seen:
            continue
        if isinstance(call.value, dict) and _fits(call.value):
            seen.add((call.tool, key))
            sights.append((call.tool, key, call.value))
    return sights


def _fits(row: Json) -> bool:
    deep = any(len(leaf.path) > DEEPEST for leaf in leaves(row))
    return not deep and len(canonical_bytes(row)) <= MOST_BYTES


def _settle(table: Table, votes: dict[str, Votes], history: History) -> None:
    values = {
        canonical_bytes(moment.call.value): moment.call.value
        for moment in history.successes(table.reader)
    }
    for key in sorted(votes):
        seen = votes[key]
        # The row that most tasks saw; among equals the canonical bytes decide, whatever the order.
        best = min(seen, key=lambda row: (-len(seen[row]), row))
        table.rows[key] = values[best]
        table.conflicts += len(seen) > 1
        table.sights += sum(len(tasks) for tasks in seen.values())
        table.agreeing += len(seen[best])
