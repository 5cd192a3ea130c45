"""Fidelity: what programs give in a real table world, compared with what the log recorded."""

from collections.abc import Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.mining.schemas import CLOCK
from envwright.recipes.toolspace.values import canonical_bytes, same
from envwright.sandbox.worlds import Program, World, open_world

WORLD_FILE = canonical_bytes({"clock": CLOCK})


class Fidelity(NamedTuple):
    """How many observations a program was tried on, and how many it gave exactly."""

    calls: int
    exact: int

    @property
    def share(self) -> float:
        """The exact share; 0 where there was nothing to compare."""
        return self.exact / self.calls if self.calls else 0.0


def open_tables(
    tools: Sequence[ToolSchema],
    programs: dict[str, Program],
    tables: dict[str, dict[str, Json]],
    keys: dict[str, str],
) -> World:
    """Open a table world on rows by table and key; `keys` names each table's key field."""
    files = {
        "tables.json": canonical_bytes(
            {name: {"key": keys[name], "rows": tables[name]} for name in sorted(tables)}
        ),
        "programs.json": canonical_bytes(
            {name: programs[name].model_dump(mode="json") for name in sorted(programs)}
        ),
        "world.json": WORLD_FILE,
    }
    return open_world("tables", tuple(tools), files)


def read_fidelity(world: World, name: str, calls: Sequence[Call]) -> Fidelity:
    """Run recorded reads in a world that holds all rows; compare results exactly."""
    exact = 0
    for call in calls:
        result = world.call(name, call.arguments)
        exact += result.ok == call.ok and same(result.value, call.value)
    return Fidelity(len(calls), exact)
