"""Folds: how well programs that were learnt on some tasks predict the writes of the others.

Each task is held out once. Its traces start from what was known before their first write, and every
write is then predicted from the simulated state, errors included, and compared exactly.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from envwright.events.canonical import Json, digest
from envwright.recipes.toolspace.calls import Call, Trace
from envwright.recipes.toolspace.induction.samples import Binding
from envwright.recipes.toolspace.mining.effects import named_in
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import ABSENT, is_key_value, key_text, same

FOLDS = 5
SEED = 0

Place = tuple[str, str]
"""A row: its table and its key."""


@dataclass
class Tally:
    """How the held-out calls of one write were predicted."""

    calls: int = 0
    exact: int = 0
    successes: int = 0
    exact_successes: int = 0
    unpredictable: int = 0
    """Calls about a row that was never observed, or without a program: misses."""

    def note(self, call: Call, exact: bool, known: bool) -> None:
        """Count one call."""
        self.calls += 1
        self.exact += exact
        self.successes += call.ok
        self.exact_successes += exact and call.ok
        self.unpredictable += not known

    @property
    def share(self) -> float:
        """The exact share of all calls."""
        return self.exact / self.calls if self.calls else 0.0


class Prediction(Protocol):
    """What a call is predicted to give, and the rows that this rests on."""

    @property
    def ok(self) -> bool:
        """Whether it succeeds."""

    @property
    def value(self) -> Json:
        """What it gives back, or the error text."""

    @property
    def touched(self) -> frozenset[Place]:
        """The rows that it looked at or wrote."""


class Simulation(Protocol):
    """The state of one held-out trace, under the programs of the other tasks."""

    def knows(self, tool: str) -> bool:
        """Say whether a tool has a program."""

    def holds(self, place: Place) -> bool:
        """Say whether a row is there."""

    def put(self, place: Place, row: Json) -> None:
        """Put an observed row in place."""

    def predict(self, call: Call) -> Prediction:
        """Carry out a call."""


def folds_of(tasks: Iterable[str], count: int = FOLDS, seed: int = SEED) -> dict[str, int]:
    """Return the fold of each task: a shuffle that neither order nor other services' tasks move."""
    by_service: dict[str, dict[str, str]] = defaultdict(dict)
    for task in tasks:
        service, own = split_key(task) if "." in task else ("", task)
        by_service[service][own] = task
    folds: dict[str, int] = {}
    for names in by_service.values():
        # The service's name is left out of the shuffle: it may be a digest of all that was read.
        order = sorted(names, key=lambda own: digest([seed, own]))
        folds |= {names[own]: number % count for number, own in enumerate(order)}
    return folds


class Rehearsal:
    """Replays held-out traces against what was learnt elsewhere."""

    def __init__(
        self, tables: dict[str, Table], bindings: dict[str, Binding], writers: set[str]
    ) -> None:
        self._tables = tables
        self._readers = {table.reader: table for table in tables.values()}
        self._bindings = bindings
        self._writers = writers

    def run(self, trace: Trace, simulation: Simulation, tallies: dict[str, Tally]) -> None:
        """Predict every write of a trace, and note how it went."""
        unknown: set[Place] = set()
        shown: dict[Place, Json] = dict(self._first_sights(trace))
        for place, row in shown.items():
            simulation.put(place, row)
        for call in trace.calls:
            if call.transient:
                continue
            if call.tool in self._writers:
                exact = self._write(
                    call, simulation, tallies.setdefault(call.tool, Tally()), unknown
                )
                self._anchor(call, simulation, exact, unknown, shown)
            elif (seen := self._place_read(call)) is not None:
                # An observation is what the state is, whatever was predicted.
                simulation.put(seen, call.value)
                shown[seen] = call.value
                unknown.discard(seen)

    def _write(self, call: Call, simulation: Simulation, tally: Tally, unknown: set[Place]) -> bool:
        target = self._target(call)
        known = simulation.knows(call.tool) and target not in unknown
        exact = changes = False
        if known:
            found = simulation.predict(call)
            known = not (found.touched & unknown)
            exact = known and found.ok == call.ok and same(found.value, call.value)
            changes = found.ok
            if call.ok and target is not None and not simulation.holds(target):
                known = False
        tally.note(call, exact, known)
        if not exact and (call.ok or changes):
            unknown |= self._named(call, target)
        return exact

    def _anchor(
        self,
        call: Call,
        simulation: Simulation,
        exact: bool,
        unknown: set[Place],
        shown: dict[Place, Json],
    ) -> None:
        """Note the row that a write gives back: it shows it as plainly as a read does."""
        target = self._target(call)
        if target is None or not call.ok:
            return
        row = self._row_shown(call, shown.get(target, ABSENT))
        if row is ABSENT:
            return
        shown[target] = row
        if not exact:
            simulation.put(target, row)
            unknown.discard(target)

    def _named(self, call: Call, target: Place | None) -> set[Place]:
        named = named_in(call.arguments)
        places = {(table.name, key) for table in self._readers.values() for key in named}
        return places | ({target} if target else set())

    def _row_shown(self, call: Call, before: Json) -> Json:
        table = self._tables[self._bindings[call.tool].table]
        entity = table.entity
        if call.tool not in entity.tools:
            return ABSENT
        part = entity.part(call.tool, call.value)
        whole = isinstance(part, dict) and entity.fields <= part.keys()
        row = entity.shown(call.tool, call.value, table.reader, before)
        return row if whole else ABSENT

    def _target(self, call: Call) -> Place | None:
        binding = self._bindings.get(call.tool)
        key = call.arguments.get(binding.argument) if binding else None
        return (binding.table, key_text(key)) if binding and is_key_value(key) else None

    def _place_read(self, call: Call) -> Place | None:
        table = self._readers.get(call.tool)
        if table is None or not call.ok or not isinstance(call.value, dict):
            return None
        key = table.entity.key(call.tool, call.arguments)
        return (table.name, key) if key is not None else None

    def _first_sights(self, trace: Trace) -> list[tuple[Place, Json]]:
        """Return the rows that a trace read before it wrote to them."""
        written: set[str] = set()
        seen: dict[Place, Json] = {}
        for call in trace.calls:
            if call.ok and call.tool in self._writers:
                written |= named_in(call.arguments) | named_in(call.value)
            place = self._place_read(call)
            if place is not None and place[1] not in written:
                seen.setdefault(place, call.value)
        return list(seen.items())


def cross_validate(
    traces: Sequence[Trace],
    learn: Callable[[list[Trace]], Callable[[], Simulation]],
    rehearsal: Rehearsal,
) -> dict[str, Tally]:
    """Return the pooled tallies of all folds; `learn` gives what opens a simulation."""
    folds = folds_of(trace.task for trace in traces)
    pooled: dict[str, Tally] = {}
    for fold in range(FOLDS):
        held_out = [trace for trace in traces if folds[trace.task] == fold]
        if not held_out:
            continue
        open_simulation = learn([trace for trace in traces if folds[trace.task] != fold])
        for trace in held_out:
            rehearsal.run(trace, open_simulation(), pooled)
    return pooled
