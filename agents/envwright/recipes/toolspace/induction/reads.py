"""Reads: look-ups by key, finders by other fields, and tools that always answer the same."""

from collections.abc import Sequence

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.fidelity import Fidelity, open_tables, read_fidelity
from envwright.recipes.toolspace.induction.fitting import Target, fit
from envwright.recipes.toolspace.induction.missing import missing_text
from envwright.recipes.toolspace.induction.samples import Sample
from envwright.recipes.toolspace.mining.entities import FEWEST_KEYS, MOSTLY
from envwright.recipes.toolspace.mining.history import History, Moment, tasks_of
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    alike,
    at,
    is_key_value,
    key_text,
    leaves,
    same,
)
from envwright.sandbox.worlds import (
    Argument,
    Condition,
    Constant,
    Expr,
    Find,
    Lookup,
    RowAfter,
)

FEWEST_TASKS = 2
"""Fewest distinct tasks that a finder or a constant rests on (ours)."""


def fit_lookup(history: History, tool: str, table: Table) -> Lookup | None:
    """Return the program of a tool that reads a row of the table by its key, or part of one."""
    argument = table.entity.tools[tool]
    returns: Expr | None = RowAfter()
    if tool != table.reader:
        targets = [
            Target(_sample(moment, key, table), moment.call.value)
            for moment, key in _known_rows(history, tool, table)
        ]
        returns = fit(targets, "", returns=True) if len(targets) >= FEWEST_KEYS else None
    if returns is None:
        return None
    missing = missing_text(history, tool, table, argument)
    return Lookup(
        table=table.name, key=Argument(path=(argument,)), missing=missing, returns=returns
    )


def fit_finder(history: History, tool: str, tables: dict[str, Table]) -> Find | None:
    """Return the program of a tool that finds a row by values of its fields, or None."""
    good = history.successes(tool)
    if tasks_of(good) < FEWEST_TASKS or not history.argument_names(tool):
        return None
    best: tuple[int, str] | None = None
    for name in sorted(tables):
        hits = len(_found_rows(good, tables[name]))
        # Many rows that were found were never read, so half of them must do.
        if hits >= FEWEST_KEYS and 2 * hits >= len(good) and (best is None or hits > -best[0]):
            best = (-hits, name)
    if best is None:
        return None
    table = tables[best[1]]
    return _finder(history, tool, table, _found_rows(good, table))


def fit_constant(history: History, tool: str) -> Constant | None:
    """Return the program of a tool that gave one answer, whatever it was asked."""
    good = history.successes(tool)
    if len(good) < FEWEST_KEYS or tasks_of(good) < FEWEST_TASKS:
        return None
    value = good[0].call.value
    return Constant(value=value) if all(same(m.call.value, value) for m in good) else None


def lookup_fidelity(
    history: History, schema: ToolSchema, tool: str, table: Table, program: Lookup | None
) -> Fidelity:
    """Return how many first observations of rows the program gives exactly."""
    if tool == table.reader:
        return Fidelity(table.sights, table.agreeing)
    hits = _known_rows(history, tool, table)
    if program is None or not hits:
        return Fidelity(len(hits), 0)
    rows = {table.name: table.rows}
    world = open_tables([schema], {schema.name: program}, rows, {table.name: "key"})
    return read_fidelity(world, schema.name, [moment.call for moment, _ in hits])


def _known_rows(history: History, tool: str, table: Table) -> list[tuple[Moment, str]]:
    return [
        (moment, key)
        for moment in history.successes(tool)
        if (key := table.entity.key(tool, moment.call.arguments)) and key in table.rows
    ]


def _sample(moment: Moment, key: str, table: Table) -> Sample:
    row = table.rows[key]
    return Sample(moment.task, moment.call.arguments, key, row, row, moment.call.value)


def _found_rows(good: Sequence[Moment], table: Table) -> list[Sample]:
    return [
        _sample(moment, key, table)
        for moment in good
        if (key := _found_key(moment.call.value, table)) is not None
    ]


def _found_key(value: Json, table: Table) -> str | None:
    parts = list(value.values()) if isinstance(value, dict) else [value]
    keys = [key_text(part) for part in parts if is_key_value(part)]
    return next((key for key in keys if key in table.rows), None)


def _finder(history: History, tool: str, table: Table, found: list[Sample]) -> Find | None:
    where = []
    for argument in history.argument_names(tool):
        path = _matching_field(found, argument)
        if path is None:
            return None
        where.append(Condition(path=path, equals=Argument(path=(argument,))))
    returns = fit([Target(sample, sample.value) for sample in found], "", returns=True)
    if returns is None:
        return None
    missing = missing_text(history, tool, table)
    return Find(table=table.name, where=tuple(where), missing=missing, returns=returns)


def _matching_field(found: list[Sample], argument: str) -> Path | None:
    given = [sample for sample in found if argument in sample.arguments]
    if len(given) < MOSTLY * len(found):
        return None
    paths = [leaf.path for leaf in leaves(given[0].before)]
    for path in sorted(paths, key=lambda p: (not alike(str(p[-1]), argument), len(p), repr(p))):
        hits = [at(sample.before, path) for sample in given]
        agree = [
            found is not ABSENT and same(found, sample.arguments[argument])
            for found, sample in zip(hits, given, strict=True)
        ]
        if sum(agree) >= MOSTLY * len(agree):
            return path
    return None
