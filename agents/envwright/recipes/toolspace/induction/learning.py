"""Learning: the program of every write, from all that its calls show."""

from dataclasses import dataclass, field
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.arguments import (
    Domain,
    Surroundings,
    free_pool,
    mine_domains,
)
from envwright.recipes.toolspace.induction.creates import fit_create
from envwright.recipes.toolspace.induction.fitting import Knowledge, Target, fit
from envwright.recipes.toolspace.induction.guards import fit_guards, unexplained
from envwright.recipes.toolspace.induction.missing import missing_words
from envwright.recipes.toolspace.induction.phrasing import MisfitError, phrased, phrased_test
from envwright.recipes.toolspace.induction.procedures import (
    Refused,
    arguments_in,
    as_procedure,
)
from envwright.recipes.toolspace.induction.refusals import Refusal, fit_refusals
from envwright.recipes.toolspace.induction.roots import UNKNOWN
from envwright.recipes.toolspace.induction.samples import Evidence, Sample
from envwright.recipes.toolspace.induction.terms import Terms, mine_terms
from envwright.recipes.toolspace.induction.updates import fit_changes
from envwright.recipes.toolspace.mining.entities import MOSTLY
from envwright.recipes.toolspace.mining.history import History
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.mining.tables import Table
from envwright.sandbox.worlds import Argument, Create, Expr, Guard, Program, Update

FEWEST_SUCCESSES = 3
"""Fewest distinct tasks in which a write must have succeeded (ours)."""


@dataclass
class Lesson:
    """What was learnt of one write."""

    program: Program | None = None
    reason: str = ""
    """Why there is no program."""
    scarce: bool = False
    """Whether there is none only because too little was seen."""
    samples: list[Sample] = field(default_factory=list)
    domains: dict[str, Domain] = field(default_factory=dict)
    pool: list[dict[str, Json]] = field(default_factory=list)
    terms: Terms = Terms()


def learn(
    history: History,
    schemas: dict[str, ToolSchema],
    around: Surroundings,
    evidence: dict[str, Evidence],
) -> dict[str, Lesson]:
    """Return what a history teaches about each write that is bound to a table."""
    bound = {
        tool: evidence[tool]
        for tool in sorted(evidence)
        if evidence[tool].binding.table in around.tables
    }
    lessons: dict[str, Lesson] = {}
    for namespace in sorted({split_key(tool)[0] for tool in bound}):
        own = {tool: one for tool, one in bound.items() if split_key(tool)[0] == namespace}
        lessons.update(_Teacher(history, schemas, around, namespace).lessons(own))
    return lessons


class _Teacher:
    """Learns the writes of one service, which know the rows of their service only."""

    def __init__(
        self,
        history: History,
        schemas: dict[str, ToolSchema],
        around: Surroundings,
        namespace: str,
    ) -> None:
        self._history = history
        self._schemas = schemas
        self._around = around
        tables = around.tables.items()
        self._rows = known_rows({n: t for n, t in tables if t.entity.namespace == namespace})

    def lessons(self, evidence: dict[str, Evidence]) -> dict[str, Lesson]:
        """Return what each write does; what several refuse alike is learnt together."""
        guards = {
            tool: fit_guards(one, self._around.tables[one.binding.table])
            for tool, one in evidence.items()
        }
        rest = {tool: unexplained(one, guards[tool]) for tool, one in evidence.items()}
        refusals = fit_refusals(rest, self._rows)
        cases = [
            _Case(tool, self._schemas[tool], one, guards[tool], refusals.get(tool, ()))
            for tool, one in evidence.items()
        ]
        return {
            case.tool: _Learner(case, self._history, self._around, self._rows).lesson()
            for case in cases
        }


def known_rows(tables: dict[str, Table]) -> Knowledge:
    """Return the rows that a trace had shown itself, else those of the tables."""

    def row_of(sample: Sample, table: str, key: str) -> Json:
        found = sample.known.get((table, key))
        return found if found is not None else tables[table].rows.get(key, UNKNOWN)

    return Knowledge(row_of, tuple(sorted(tables)))


class _Case(NamedTuple):
    """A write and what is to be explained about it."""

    tool: str
    schema: ToolSchema
    evidence: Evidence
    guards: tuple[Guard, ...]
    refusals: tuple[Refusal, ...]


class _Learner:
    """Learns one write."""

    def __init__(
        self, case: _Case, history: History, around: Surroundings, knowledge: Knowledge
    ) -> None:
        self._case = case
        self._history = history
        self._around = around
        self._knowledge = knowledge
        self._table = around.tables[case.evidence.binding.table]
        self._argument = case.evidence.binding.argument

    def lesson(self) -> Lesson:
        """Return the program, or why there is none."""
        all_samples = self._case.evidence.samples
        seen = [s for s in all_samples if s.before is not None and s.after is not None]
        new = [s for s in all_samples if s.before is None and s.key not in self._table.rows]
        # A tool whose rows were never there before adds them; all else changes them.
        creates = len(new) >= MOSTLY * len(all_samples) and all(s.after for s in new)
        lesson = Lesson(samples=new if creates else seen)
        if len({sample.task for sample in lesson.samples}) < FEWEST_SUCCESSES:
            lesson.scarce = True
            lesson.reason = f"{len(lesson.samples)} successes show the row before and after"
            return lesson
        self._mine_arguments(lesson)
        try:
            lesson.program = self._create(lesson) if creates else self._update(lesson)
        except MisfitError as misfit:
            lesson.reason = str(misfit)
        return lesson

    def _mine_arguments(self, lesson: Lesson) -> None:
        lesson.domains = mine_domains(
            self._case.schema, lesson.samples, self._table.name, self._argument, self._around
        )
        lesson.pool = free_pool(lesson.samples, lesson.domains)

    def _create(self, lesson: Lesson) -> Create:
        texts = sorted(f.text for f in self._case.evidence.failures if f.key in self._table.rows)
        exists = texts[0] if texts else f"Error: {self._table.entity.argument} exists already"
        return fit_create(lesson.samples, self._table.name, self._argument, exists)

    def _update(self, lesson: Lesson) -> Program:
        samples = lesson.samples
        keys = {name for name, domain in lesson.domains.items() if domain.kind == "key"}
        free = sorted(lesson.domains.keys() - keys)
        changes = fit_changes(samples, self._argument, free, self._knowledge)
        if not changes.set and not changes.append:
            raise MisfitError("it changes nothing that the log shows")
        targets = [Target(sample, sample.value) for sample in samples]
        returns = fit(targets, "", returns=True, knowledge=self._knowledge)
        if returns is None:
            raise MisfitError("nothing explains the result")
        values = [assignment.value for assignment in (*changes.set, *changes.append)]
        lesson.terms = mine_terms([*values, returns], samples, self._table, lesson.domains)
        missing = missing_words(
            self._history, self._case.tool, self._table, self._argument, self._around.tables
        )
        update = Update(
            table=self._table.name,
            key=Argument(path=(self._argument,)),
            missing=missing if isinstance(missing, str) else "",
            guards=self._case.guards,
            set=changes.set,
            append=changes.append,
            returns=returns,
        )
        return self._refusing(update, missing)

    def _refusing(self, update: Update, missing: str | Expr) -> Program:
        refused = [one for one in map(_phrased, self._case.refusals) if self._declares(one)]
        if not refused and isinstance(missing, str):
            return update
        return as_procedure(update, missing, refused)

    def _declares(self, one: Refused) -> bool:
        """Say whether a tool can be asked for all that a refusal speaks of.

        What only refused calls gave is no argument of the tool, and a world refuses it by itself.
        """
        parts = (part for part in (one.holds, one.error, one.over) if part is not None)
        declared = self._case.schema.parameters.get("properties", {})
        return all(name in declared for part in parts for name in arguments_in(part))


def _phrased(one: Refusal) -> Refused:
    over = phrased(one.over) if one.over is not None else None
    return Refused(phrased_test(one.test.expr), phrased(one.text), one.blind, over)


def without_effect(program: Program, domains: dict[str, Domain], samples: list[Sample]) -> str:
    """Return the argument that most calls give and that changes nothing, or an empty text."""
    used = arguments_in(program)
    for name in sorted(domains.keys() - used):
        given = sum(name in sample.arguments for sample in samples)
        if given > (1 - MOSTLY) * len(samples):
            return name
    return ""
