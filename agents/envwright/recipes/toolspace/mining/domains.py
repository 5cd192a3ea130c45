"""Domains: which arguments hold keys of which table; arguments of one table share its domain."""

from collections import defaultdict

from envwright.recipes.toolspace.mining.entities import FEWEST_KEYS
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import alike, is_key_value, key_text

SHARE = 0.5
"""Least share of an argument's distinct values that must be known keys (ours): many rows were
never read."""

Domains = dict[tuple[str, str], str]
"""Tool and argument to the table whose keys the argument holds."""


def mine_domains(history: History, tables: dict[str, Table]) -> Domains:
    """Return the domain of every argument that holds keys."""
    domains: Domains = {}
    for tool in history.tools:
        values: dict[str, set[str]] = defaultdict(set)
        numeric: set[str] = set()
        for moment in history.successes(tool):
            for name, value in moment.call.arguments.items():
                if is_key_value(value):
                    values[name].add(key_text(value))
                    if not isinstance(value, str):
                        numeric.add(name)
        for name in sorted(values):
            table = _table_of(tool, name, values[name], tables, name in numeric)
            if table is not None:
                domains[tool, name] = table
    return domains


def _table_of(
    tool: str, argument: str, values: set[str], tables: dict[str, Table], numeric: bool
) -> str | None:
    choices = []
    for name in sorted(tables):
        table = tables[name]
        if table.entity.tools.get(tool) == argument:
            return name
        named = alike(argument, table.entity.argument)
        hits = len(values & table.rows.keys())
        # Small whole numbers are keys by accident unless the name says so.
        if hits >= FEWEST_KEYS and hits >= SHARE * len(values) and (named or not numeric):
            choices.append((not named, -hits, name))
    return min(choices)[2] if choices else None
