"""Grounding: which tools have a program that gives what was recorded, and why others have none."""

from dataclasses import dataclass, field
from typing import Literal

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.arguments import (
    Domain,
    Surroundings,
    free_pool,
    mine_domains,
)
from envwright.recipes.toolspace.induction.creates import fit_create
from envwright.recipes.toolspace.induction.fidelity import Fidelity, write_fidelity
from envwright.recipes.toolspace.induction.fitting import Target, fit
from envwright.recipes.toolspace.induction.guards import fit_guards
from envwright.recipes.toolspace.induction.reads import (
    fit_constant,
    fit_finder,
    fit_lookup,
    lookup_fidelity,
    missing_text,
)
from envwright.recipes.toolspace.induction.samples import Evidence, Sample
from envwright.recipes.toolspace.induction.terms import Terms, mine_terms
from envwright.recipes.toolspace.induction.updates import (
    MisfitError,
    arguments_in,
    fit_changes,
)
from envwright.recipes.toolspace.mining.effects import Effect
from envwright.recipes.toolspace.mining.entities import MOSTLY
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.mining.tables import Table
from envwright.sandbox.worlds import Argument, Create, Program, Update

FEWEST_SUCCESSES = 3
"""Fewest distinct tasks in which a write must have succeeded (ours)."""

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
    ) -> None:
        self._history = history
        self._effects = effects
        self._schemas = schemas
        self._around = around

    def ground(self, tool: str, evidence: Evidence | None) -> Grounding:
        """Return what is known of a tool; `evidence` is what it wrote, if it is bound to a row."""
        found = Grounding(
            tool=tool,
            schema=self._schemas[tool],
            effect=self._effects[tool],
            calls=len(self._history.moments(tool)),
            successes=len(self._history.successes(tool)),
        )
        if found.effect in ("write", "suspect"):
            self._ground_write(found, evidence)
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

    def _ground_write(self, found: Grounding, evidence: Evidence | None) -> None:
        if evidence is None:
            found.status, found.reason = "not_grounded", "it names no row of a table"
            return
        table = self._around.tables[evidence.binding.table]
        argument = evidence.binding.argument
        seen = [s for s in evidence.samples if s.before is not None and s.after is not None]
        new = [s for s in evidence.samples if s.before is None and s.key not in table.rows]
        # A tool whose rows were never there before adds them; all else changes them.
        creates = len(new) >= MOSTLY * len(evidence.samples) and all(s.after for s in new)
        samples = new if creates else seen
        if len({sample.task for sample in samples}) < FEWEST_SUCCESSES:
            found.status = "insufficient_evidence"
            found.reason = f"{len(samples)} successes show the row before and after"
            return
        found.domains = mine_domains(found.schema, samples, table.name, argument, self._around)
        found.pool = free_pool(samples, found.domains)
        try:
            if creates:
                exists = _exists_text(evidence, table)
                found.program = fit_create(samples, table.name, argument, exists)
            else:
                found.program = self._update(found, evidence, samples)
            found.fidelity = write_fidelity(found.schema, found.program, table.name, samples)
            _accept(found)
            _check_arguments(found, samples)
        except MisfitError as misfit:
            found.status, found.reason = "not_grounded", str(misfit)

    def _update(self, found: Grounding, evidence: Evidence, samples: list[Sample]) -> Update:
        table = self._around.tables[evidence.binding.table]
        argument = evidence.binding.argument
        keys = {name for name, domain in found.domains.items() if domain.kind == "key"}
        changes = fit_changes(samples, argument, sorted(found.domains.keys() - keys))
        if not changes.set and not changes.append:
            raise MisfitError("it changes nothing that the log shows")
        returns = fit([Target(s, s.value) for s in samples], "", returns=True)
        if returns is None:
            raise MisfitError("nothing explains the result")
        values = [assignment.value for assignment in (*changes.set, *changes.append)]
        found.terms = mine_terms([*values, returns], samples, table, found.domains)
        return Update(
            table=table.name,
            key=Argument(path=(argument,)),
            missing=missing_text(self._history, found.tool, table, argument),
            guards=fit_guards(evidence, table),
            set=changes.set,
            append=changes.append,
            returns=returns,
        )


def _accept(found: Grounding, least: float = MOSTLY) -> None:
    found.status = "grounded" if found.fidelity.share >= least else "not_grounded"
    if found.status == "not_grounded":
        exact, calls = found.fidelity.exact, found.fidelity.calls
        found.reason = f"{exact} of {calls} observations are exact"


def _check_arguments(found: Grounding, samples: list[Sample]) -> None:
    """Raise for an argument that changes nothing: its effect was not seen, or cannot be tested."""
    program = found.program
    if isinstance(program, Create):
        used = arguments_in(program.row) | arguments_in(program.key)
    elif isinstance(program, Update):
        written = [a.value for a in (*program.set, *program.append)]
        used = arguments_in(program.key).union(*(arguments_in(value) for value in written))
    else:
        return
    for name in sorted(found.domains.keys() - used):
        given = sum(name in sample.arguments for sample in samples)
        if given > (1 - MOSTLY) * len(samples):
            raise MisfitError(f"argument {name} changes nothing that the log shows")


def _exists_text(evidence: Evidence, table: Table) -> str:
    texts = sorted(f.text for f in evidence.failures if f.key in table.rows)
    return texts[0] if texts else f"Error: {table.entity.argument} exists already"
