"""What of a run's profile a privileged policy is given: structure, and no value of any row."""

import json
from collections.abc import Iterator
from typing import Any

from envwright.agents.context import Context
from envwright.events.canonical import Json
from envwright.events.catalog import RunStarted

_OF_A_TOOL = ("effect", "domains")
_OF_A_TABLE = ("key", "reader")


def knowledge_of_run(ctx: Context) -> Json:
    """Return what the run of an attempt mined, or None where no sources were mined.

    A package folder is attempted in a run that never started.
    """
    for envelope in ctx.ports.streams.read(f"run/{ctx.run_id}"):
        if isinstance(envelope.fact, RunStarted):
            return knowledge_in(json.loads(ctx.artifacts.get(envelope.fact.profile.digest)))
    return None


def knowledge_in(profile: Json) -> Json:
    """Return the mined graph with what explains it, or None if the profile holds no graph.

    Rows and the argument values of calls stay behind: they would be answers, not knowledge.
    """
    if not isinstance(profile, dict) or "graph" not in profile:
        return None
    return {
        "graph": profile["graph"],
        "tools": {
            key: {name: tool[name] for name in _OF_A_TOOL if name in tool}
            for key, tool in sorted(profile.get("tools", {}).items())
        },
        "tables": {
            key: {name: table[name] for name in _OF_A_TABLE} | {"fields": _fields(table)}
            for key, table in sorted(profile.get("tables", {}).items())
        },
        "links": profile.get("links", []),
    }


def _fields(table: dict[str, Any]) -> list[str]:
    rows = table.get("rows", {}).values()
    mappings = {tuple(pattern) for pattern in table.get("maps", ())}
    return sorted({name for row in rows for name in _names(row, (), mappings)})


def _names(value: Json, place: tuple[str, ...], mappings: set[tuple[str, ...]]) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _names(item, (*place, "*"), mappings)
    if isinstance(value, dict):
        for name, inner in value.items():
            if place not in mappings:
                yield name
            yield from _names(inner, (*place, "*" if place in mappings else name), mappings)
