"""The trials of each run: one policy's attempts on one revision, and its pass^k."""

from typing import ClassVar

from envwright.events import Envelope
from envwright.events.catalog import TrialClosed, TrialOpened, VerdictReached
from envwright.store.projections import KeptRows
from envwright.store.readmodels.row_fold import Row, RowFold, counted


class Trials(RowFold):
    """One row a trial, by `<run>/<trial>`."""

    name: ClassVar[str] = "trials"
    types: ClassVar[frozenset[str]] = frozenset({"trial.opened", "verdict.reached", "trial.closed"})

    def key(self, envelope: Envelope) -> str:
        """Return run and trial."""
        fact = envelope.fact
        assert isinstance(fact, TrialOpened | VerdictReached | TrialClosed)
        return f"{envelope.run_id}/{fact.trial}"

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row | None:
        """Return the trial's row after an event."""
        match envelope.fact:
            case TrialOpened() as fact:
                return _opened(fact, envelope)
            case VerdictReached() as fact if row is not None:
                return row | {"outcomes": counted(row["outcomes"], fact.verdict.outcome)}
            case TrialClosed() as fact if row is not None:
                return row | {"n": fact.n, "c": fact.c, "pass_hat": fact.pass_hat, "closed": True}
            case _:
                return row


def _opened(fact: TrialOpened, envelope: Envelope) -> Row:
    return {
        "trial": fact.trial,
        "run": envelope.run_id,
        "package": fact.package,
        "revision": fact.revision,
        "policy": fact.policy.name,
        "k": fact.k,
        "gating": fact.gating,
        "outcomes": {},
        "n": None,
        "c": None,
        "pass_hat": {},
        "closed": False,
        "position": envelope.position,
    }
