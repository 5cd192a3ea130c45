"""The verdicts of each run: one row an attempt with its outcome, reward and components."""

from typing import ClassVar

from envwright.events import Envelope
from envwright.events.catalog import VerdictReached
from envwright.store.projections import KeptRows
from envwright.store.readmodels.row_fold import Row, RowFold


class Verdicts(RowFold):
    """One row an attempt, by `<run>/<package>/<attempt>`."""

    name: ClassVar[str] = "verdicts"
    types: ClassVar[frozenset[str]] = frozenset({"verdict.reached"})

    def key(self, envelope: Envelope) -> str:
        """Return run, package and attempt."""
        fact = envelope.fact
        assert isinstance(fact, VerdictReached)
        return f"{envelope.run_id}/{fact.package}/{fact.attempt}"

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row:
        """Return the attempt's row; evidence stays in the event, which the row names."""
        fact = envelope.fact
        assert isinstance(fact, VerdictReached)
        verdict = fact.verdict
        return {
            "attempt": fact.attempt,
            "run": envelope.run_id,
            "package": fact.package,
            "revision": fact.revision,
            "trial": fact.trial,
            "index": fact.index,
            "outcome": verdict.outcome,
            "reward": verdict.reward,
            "components": {part.name: part.value for part in verdict.components},
            "event": envelope.id,
            "position": envelope.position,
        }
