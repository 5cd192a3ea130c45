"""Guards: what rows had in common when a write succeeded, kept where chance does not explain it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction.samples import Evidence, Sample
from envwright.recipes.toolspace.mining.tables import Table
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    at,
    entity_noun,
    identity,
    is_scalar,
    leaves,
    phrase,
)
from envwright.sandbox.worlds import Guard

CHANCES = (0.01, 0.1, 0.3)
"""Greatest probability that rows drawn from the table would all agree by luck, where no call, one
or more on other rows are on record as refused (ours)."""

_DEEPEST = 2


def fit_guards(evidence: Evidence, table: Table) -> tuple[Guard, ...]:
    """Return a guard for each field that was one value at every success and varies in the table."""
    samples = [sample for sample in evidence.samples if sample.before is not None]
    guards = []
    for path in _common_paths(samples):
        value = at(samples[0].before, path)
        if all(identity(at(s.before, path)) == identity(value) for s in samples):
            keys = len({sample.key for sample in samples})
            refusals = _refusals(evidence, path, value)
            chance = CHANCES[min(len(refusals), len(CHANCES) - 1)]
            if _share(table, path, value) ** keys <= chance:
                error = _error(refusals, table, path, value)
                guards.append(Guard(path=path, within=(value,), error=error))
    return tuple(guards)


def unexplained(evidence: Evidence, guards: Sequence[Guard]) -> Evidence:
    """Return the evidence without the failures that a guard gives with their very text."""
    open_failures = [
        failure
        for failure in evidence.failures
        if not any(g.error == failure.text and not passes([g], failure.before) for g in guards)
    ]
    return Evidence(evidence.binding, evidence.samples, open_failures)


def passes(guards: Sequence[Guard], row: Json) -> bool:
    """Say whether a row lets a write through."""
    return all(
        (found := at(row, guard.path)) is not ABSENT
        and identity(found) in [identity(value) for value in guard.within]
        for guard in guards
    )


def _common_paths(samples: Sequence[Sample]) -> Iterator[Path]:
    if not samples:
        return
    for leaf in leaves(samples[0].before):
        plain = all(isinstance(step, str) for step in leaf.path)
        shallow = plain and len(leaf.path) <= _DEEPEST and leaf.value is not None
        if shallow and all(_has_scalar(sample.before, leaf.path) for sample in samples):
            yield leaf.path


def _has_scalar(row: Json, path: Path) -> bool:
    value = at(row, path)
    return value is not ABSENT and is_scalar(value)


def _share(table: Table, path: Path, value: Json) -> float:
    found = [at(table.rows[key], path) for key in table.rows]
    hits = sum(item is not ABSENT and identity(item) == identity(value) for item in found)
    return hits / len(found) if found else 1.0


def _refusals(evidence: Evidence, path: Path, value: Json) -> list[str]:
    """Return the error texts of calls on rows that have another value there."""
    guard = Guard(path=path, within=(value,), error="")
    known = [failure for failure in evidence.failures if failure.before is not None]
    return [failure.text for failure in known if not passes([guard], failure.before)]


def _error(refusals: list[str], table: Table, path: Path, value: Json) -> str:
    texts = Counter(refusals)
    if texts:
        return min(texts, key=lambda text: (-texts[text], text))
    noun = phrase(entity_noun(table.entity.argument) or "row")
    field = " ".join(phrase(str(step)) for step in path)
    return f"Error: the {field} of the {noun} is not {value}"
