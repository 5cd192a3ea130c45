"""Entries: the calls that a task can start with, because users know what they need."""

from typing import Literal

from envwright.events.values import Value
from envwright.recipes.toolspace.mining.entities import FEWEST_KEYS
from envwright.recipes.toolspace.mining.history import History, tasks_of
from envwright.recipes.toolspace.mining.links import Link
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import is_key_value, key_text

KNOWN = 0.05
"""Least share of a look-up's keys that stood in what the user had said (ours)."""

_SHORTEST = 3


class Entry(Value):
    """A way to the first row: by other fields of it, or by its key."""

    tool: str
    table: str
    kind: Literal["find", "lookup"]


def mine_entries(
    history: History, tables: dict[str, Table], finders: dict[str, str], links: tuple[Link, ...]
) -> tuple[Entry, ...]:
    """Return the entries, sorted; `finders` are tools with the table that they find rows of."""
    entries = [Entry(tool=tool, table=finders[tool], kind="find") for tool in sorted(finders)]
    for name in sorted(tables):
        if _users_say_keys(history, tables[name]):
            entries.append(Entry(tool=tables[name].reader, table=name, kind="lookup"))
    if entries:
        return tuple(entries)
    # Nothing shows what users say: they must know the rows that no other row leads to.
    led_to = {link.target for link in links}
    roots = [name for name in sorted(tables) if name not in led_to] or sorted(tables)
    return tuple(Entry(tool=tables[name].reader, table=name, kind="lookup") for name in roots)


def _users_say_keys(history: History, table: Table) -> bool:
    good = history.successes(table.reader)
    said = []
    for moment in good:
        key = moment.call.arguments.get(table.entity.argument)
        text = key_text(key) if is_key_value(key) else ""
        if len(text) >= _SHORTEST and text in history.traces[moment.trace].said:
            said.append(moment)
    return tasks_of(said) >= FEWEST_KEYS and len(said) >= KNOWN * len(good)
