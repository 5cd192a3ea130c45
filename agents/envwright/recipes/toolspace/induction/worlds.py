"""Worlds of held-out traces: rows that other tasks showed, and what a trace read itself."""

import json
from dataclasses import dataclass

from envwright.events.canonical import Json, encode
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.induction.fidelity import open_tables
from envwright.recipes.toolspace.induction.folds import Place
from envwright.recipes.toolspace.mining.tables import Table
from envwright.sandbox.worlds import Program, World


@dataclass(frozen=True)
class Predicted:
    """What a world gave, and the rows that it looked at or wrote."""

    ok: bool
    value: Json
    touched: frozenset[Place]


class WorldSimulation:
    """A table world in which observed rows can be put in place."""

    def __init__(self, world: World, programs: dict[str, Program], rows: set[Place]) -> None:
        self._world = world
        self._programs = programs
        self._rows = set(rows)
        self._pending: dict[Place, Json] = {}
        world.reset(0)

    def knows(self, tool: str) -> bool:
        """Say whether a tool has a program."""
        return tool in self._programs

    def holds(self, place: Place) -> bool:
        """Say whether a row is there."""
        return place in self._rows

    def put(self, place: Place, row: Json) -> None:
        """Put an observed row in place."""
        self._pending[place] = row
        self._rows.add(place)

    def predict(self, call: Call) -> Predicted:
        """Carry out a call."""
        self._settle()
        result = self._world.call(call.tool, call.arguments)
        places = {(one.kind, one.key) for one in (*result.reads, *result.writes)}
        self._rows |= {(one.kind, one.key) for one in result.writes}
        return Predicted(result.ok, result.value, frozenset(places))

    def _settle(self) -> None:
        if not self._pending:
            return
        snapshot = json.loads(self._world.snapshot())
        for (table, key), row in self._pending.items():
            snapshot["written"].setdefault(table, {})[key] = row
        self._world.restore(encode(snapshot))
        self._pending = {}


class Stage:
    """Opens the simulations of one fold over one base world."""

    def __init__(
        self,
        schemas: dict[str, ToolSchema],
        programs: dict[str, Program],
        tables: dict[str, Table],
        names: dict[str, str],
    ) -> None:
        rows = {name: tables[name].rows if name in tables else {} for name in names}
        # Tools of several services may share a name: here each goes by its key.
        tools = [schemas[tool].model_copy(update={"name": tool}) for tool in sorted(programs)]
        self._programs = programs
        self._world = open_tables(tools, programs, rows, names)
        self._rows = {(name, key) for name in rows for key in rows[name]}

    def open(self) -> WorldSimulation:
        """Return a simulation at its start."""
        return WorldSimulation(self._world, self._programs, self._rows)
