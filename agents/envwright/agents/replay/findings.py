"""Findings: where a replay differs from the record, and how much of it was compared."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from envwright.events.canonical import Json
from envwright.events.values import Value


class RecordedDelivery(Value):
    """A delivery that was handled: what one role owed to one event."""

    cause: str
    """Id of the event that was answered."""
    cause_type: str
    role: str
    group: str
    work: str


class Divergence(Value):
    """Where a replay differs from the record."""

    event: str
    """Id of the event; empty where its header cannot be read, and `actual` says its position."""
    expected: Json = None
    actual: Json = None
    kind: Literal["difference", "nondeterminism"] = "difference"
    """`nondeterminism`: decision code read what no replay can repeat, even if nothing differs."""
    delivery: RecordedDelivery | None = None
    """The delivery whose decision differs; None where no decision was replayed."""


class Comparison(Value):
    """What came of one piece of a replay."""

    compared: int = 0
    """How much of it is as it was recorded."""
    counts: Mapping[str, int] = Field(default_factory=dict)
    """What was compared, by kind."""
    divergences: tuple[Divergence, ...] = ()
    """In the order of the log, or of the steps of one handler."""


class Replayed(Comparison):
    """How much a replay compared, and where it differs from the record."""

    @property
    def diverged(self) -> Divergence | None:
        """The first divergence in the order of the log."""
        return self.divergences[0] if self.divergences else None


def gathered(comparisons: Iterable[Comparison]) -> Replayed:
    """Join comparisons in their order; a divergence that is found twice is told once."""
    compared, counts = 0, Counter[str]()
    found: dict[str, Divergence] = {}
    for comparison in comparisons:
        compared += comparison.compared
        counts.update(comparison.counts)
        for divergence in comparison.divergences:
            found.setdefault(divergence.model_dump_json(), divergence)
    return Replayed(compared=compared, counts=dict(counts), divergences=tuple(found.values()))
