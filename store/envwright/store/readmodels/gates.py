"""The gates of each run: how often each passed, and why it did not."""

from typing import ClassVar

from envwright.events import Envelope
from envwright.events.catalog import GateEvaluated
from envwright.store.projections import KeptRows
from envwright.store.readmodels.row_fold import Row, RowFold, counted


class Gates(RowFold):
    """One row a gate, by `<run>/<gate>`."""

    name: ClassVar[str] = "gates"
    types: ClassVar[frozenset[str]] = frozenset({"gate.evaluated"})

    def key(self, envelope: Envelope) -> str:
        """Return run and gate."""
        fact = envelope.fact
        assert isinstance(fact, GateEvaluated)
        return f"{envelope.run_id}/{fact.result.gate}"

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row:
        """Return the gate's row after one more verdict."""
        fact = envelope.fact
        assert isinstance(fact, GateEvaluated)
        result = fact.result
        known = row or {
            "run": envelope.run_id,
            "gate": result.gate,
            "verdicts": {},
            "reasons": {},
            "first_position": envelope.position,
        }
        reasons = known["reasons"]
        if result.verdict != "pass":
            reasons = counted(reasons, result.reason or result.verdict)
        return known | {"verdicts": counted(known["verdicts"], result.verdict), "reasons": reasons}
