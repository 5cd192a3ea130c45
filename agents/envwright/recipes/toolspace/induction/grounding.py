"""Grounding: which tools have a program that gives what was recorded, and why others have none."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Trace
from envwright.recipes.toolspace.induction.arguments import Domain, Surroundings
from envwright.recipes.toolspace.induction.fidelity import Fidelity
from envwright.recipes.toolspace.induction.folds import (
    Rehearsal,
    Simulation,
    Tally,
    cross_validate,
)
from envwright.recipes.toolspace.induction.learning import Lesson, learn, without_effect
from envwright.recipes.toolspace.induction.reads import (
    fit_constant,
    fit_finder,
    fit_lookup,
    lookup_fidelity,
)
from envwright.recipes.toolspace.induction.samples import Binding, bind_writers, gather
from envwright.recipes.toolspace.induction.terms import Terms
from envwright.recipes.toolspace.induction.worlds import Stage
from envwright.recipes.toolspace.mining.effects import Effect
from envwright.recipes.toolspace.mining.entities import MOSTLY
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.mining.links import mappings, mine_links
from envwright.recipes.toolspace.mining.tables import mine_tables
from envwright.sandbox.worlds import Program

WRITING: tuple[Effect, ...] = ("write", "suspect")
"""The effects of tools that are taken for writes."""

FEWEST_CALLS = 8
"""Fewest held-out calls of a write that are evidence."""

FEWEST_SUCCESSES = 3
"""Fewest of them that must have succeeded."""

STABLE = 0.5
"""Least share of first observations that must agree with the kept rows (ours): a log may span
several states of one service, of which a table keeps one."""

Status = Literal["grounded", "not_grounded", "insufficient_evidence", "unsupported"]


@dataclass
class Grounding:
    """What is known of one tool."""

    tool: str
    schema: ToolSchema
    effect: Effect
    calls: int
    successes: int
    status: Status = "unsupported"
    reason: str = ""
    program: Program | None = None
    fidelity: Fidelity = Fidelity(0, 0)
    tally: Tally | None = None
    """How held-out calls of a write were predicted; the program was learnt on all traces."""
    domains: dict[str, Domain] = field(default_factory=dict)
    pool: list[dict[str, Json]] = field(default_factory=list)
    terms: Terms = Terms()
    """What rows and arguments of successful calls were like."""


class Grounder:
    """Finds the programs of all tools of one history."""

    def __init__(
        self,
        history: History,
        effects: dict[str, Effect],
        schemas: dict[str, ToolSchema],
        around: Surroundings,
        threshold: float = MOSTLY,
    ) -> None:
        self._history = history
        self._effects = effects
        self._schemas = schemas
        self._around = around
        self._threshold = threshold

    def ground(self, tool: str) -> Grounding:
        """Return what is known of a tool; all writes are learnt together, at the first of them."""
        found = Grounding(
            tool=tool,
            schema=self._schemas[tool],
            effect=self._effects[tool],
            calls=len(self._history.moments(tool)),
            successes=len(self._history.successes(tool)),
        )
        if found.effect in WRITING:
            self._ground_write(found)
        else:
            self._ground_read(found)
        return found

    def _ground_read(self, found: Grounding) -> None:
        tables = self._around.tables
        table = next((t for t in tables.values() if found.tool in t.entity.tools), None)
        if table is not None:
            found.program = fit_lookup(self._history, found.tool, table)
            found.fidelity = lookup_fidelity(
                self._history, found.schema, found.tool, table, found.program
            )
        else:
            finder = fit_finder(self._history, found.tool, tables)
            found.program = finder or fit_constant(self._history, found.tool)
            # Both were accepted only because they fit every success that can be checked.
            found.fidelity = Fidelity(found.successes, found.successes)
        if found.program is None:
            found.fidelity = Fidelity(0, 0)
            found.reason = "its results are neither a row by key, nor a key, nor always the same"
        else:
            is_reader = table is not None and found.tool == table.reader
            _accept(found, STABLE if is_reader else MOSTLY)

    def _ground_write(self, found: Grounding) -> None:
        lesson = self._lessons.get(found.tool)
        if lesson is None:
            found.status, found.reason = "not_grounded", "it names no row of a table"
            return
        found.tally = self._tallies.get(found.tool, Tally())
        found.fidelity = Fidelity(found.tally.calls, found.tally.exact)
        found.domains, found.pool, found.terms = lesson.domains, lesson.pool, lesson.terms
        found.program, found.reason = lesson.program, lesson.reason
        if found.program is None:
            found.status = "insufficient_evidence" if lesson.scarce else "not_grounded"
            return
        idle = without_effect(found.program, lesson.domains, lesson.samples)
        if idle:
            found.status = "not_grounded"
            found.reason = f"argument {idle} changes nothing that the log shows"
        else:
            _judge(found, found.tally, self._threshold)

    @cached_property
    def _lessons(self) -> dict[str, Lesson]:
        return self._learnt(self._history, self._around)

    @cached_property
    def _tallies(self) -> dict[str, Tally]:
        writers = {tool for tool, effect in self._effects.items() if effect in WRITING}
        rehearsal = Rehearsal(self._around.tables, self._bindings, writers)
        return cross_validate(self._history.traces, self._teach, rehearsal)

    @cached_property
    def _bindings(self) -> dict[str, Binding]:
        return bind_writers(self._history, self._around.tables, self._effects)

    def _teach(self, traces: list[Trace]) -> Callable[[], Simulation]:
        """Learn from some traces, and return what opens simulations of others."""
        history = History(traces, self._history.declared)
        entities = [table.entity for table in self._around.tables.values()]
        tables = mine_tables(history, entities, self._effects)
        maps = {name: mappings(table) for name, table in tables.items()}
        lessons = self._learnt(history, Surroundings(tables, maps, mine_links(tables, maps)))
        programs = {tool: one.program for tool, one in lessons.items() if one.program is not None}
        keys = {name: table.entity.argument for name, table in self._around.tables.items()}
        return Stage(self._schemas, programs, tables, keys).open

    def _learnt(self, history: History, around: Surroundings) -> dict[str, Lesson]:
        evidence = gather(history, around.tables, self._effects, self._bindings)
        return learn(history, self._schemas, around, evidence)


def _accept(found: Grounding, least: float = MOSTLY) -> None:
    found.status = "grounded" if found.fidelity.share >= least else "not_grounded"
    if found.status == "not_grounded":
        exact, calls = found.fidelity.exact, found.fidelity.calls
        found.reason = f"{exact} of {calls} observations are exact"


def _judge(found: Grounding, tally: Tally, threshold: float) -> None:
    if tally.calls < FEWEST_CALLS or tally.successes < FEWEST_SUCCESSES:
        found.status = "insufficient_evidence"
        found.reason = f"{tally.successes} successes in {tally.calls} calls"
    elif tally.share >= threshold:
        found.status = "grounded"
    else:
        found.status = "not_grounded"
        found.reason = f"{tally.exact} of {tally.calls} held-out calls are exact"
