"""Fidelity: what programs give in a real table world, compared with what the log recorded."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.induction.samples import Sample
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


def write_fidelity(
    schema: ToolSchema, program: Program, table: str, samples: Sequence[Sample]
) -> Fidelity:
    """Run each sample on its row as it was before; compare result and row exactly."""
    exact = 0
    for batch in _batches(samples):
        rows = {sample.key: sample.before for sample in batch if sample.before is not None}
        world = open_tables([schema], {schema.name: program}, {table: rows}, {table: "key"})
        results = [world.call(schema.name, sample.arguments) for sample in batch]
        after = world.state()["tables"][table]
        world.close()
        for sample, result in zip(batch, results, strict=True):
            right_row = sample.after is None or same(after.get(sample.key), sample.after)
            exact += result.ok and same(result.value, sample.value) and right_row
    return Fidelity(len(samples), exact)


def _batches(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Return the samples in batches of distinct rows, which one world can hold side by side."""
    batches: list[list[Sample]] = []
    times: Counter[str] = Counter()
    for sample in samples:
        if times[sample.key] == len(batches):
            batches.append([])
        batches[times[sample.key]].append(sample)
        times[sample.key] += 1
    return batches


def read_fidelity(world: World, name: str, calls: Sequence[Call]) -> Fidelity:
    """Run recorded reads in a world that holds all rows; compare results exactly."""
    exact = 0
    for call in calls:
        result = world.call(name, call.arguments)
        exact += result.ok == call.ok and same(result.value, call.value)
    return Fidelity(len(calls), exact)
