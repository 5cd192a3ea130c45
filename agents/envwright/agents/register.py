"""The register: the set-level rules by which admission settles one slot after another, purely."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from envwright.agents.context import Context
from envwright.agents.slots import RunState
from envwright.events.catalog import PackageAdmitted, RunRequested

SURPLUS = "surplus"
DUPLICATE = "duplicate"
NOT_NOVEL = "not_novel"


@dataclass
class Register:
    """What of a run is admitted so far, and so what its next slot comes to."""

    count: int
    """Packages that the run shall admit."""
    known: frozenset[str]
    """Novelty keys of the runs that the run must be new against."""
    keys: set[str]
    """Novelty keys of the packages admitted so far."""
    total: int
    """Packages admitted so far."""

    @classmethod
    def of(cls, state: RunState, known: frozenset[str]) -> Self:
        """Return the register of a run as its stream tells it."""
        assert state.requested is not None
        return cls(state.requested.settings.count, known, state.keys, len(state.admitted))

    @property
    def full(self) -> bool:
        """Whether every further slot is surplus, whatever became of it."""
        return self.total >= self.count

    def settle(self, ok: bool, reasons: tuple[str, ...], fingerprint: Iterable[str]) -> str:
        """Settle the next slot, before the register is full; return why it is rejected.

        What is returned is empty where the slot is admitted.
        """
        fresh = set(fingerprint)
        if not ok:
            return reasons[0]
        if self.keys & fresh:
            return DUPLICATE
        if self.known & fresh:
            return NOT_NOVEL
        self.keys |= fresh
        self.total += 1
        return ""


def known_keys(ctx: Context, asked: RunRequested) -> frozenset[str]:
    """Return the novelty keys of the runs that a run must be new against, as of its position."""
    return frozenset(
        key
        for run in asked.novel_against
        for envelope in ctx.read(f"run/{run}")
        if envelope.position <= asked.novel_position and isinstance(envelope.fact, PackageAdmitted)
        for key in envelope.fact.fingerprint
    )
