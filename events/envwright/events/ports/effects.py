"""Port of the effect journal: the only truth for recovery."""

from collections.abc import Callable
from typing import Protocol

from envwright.events.canonical import Json
from envwright.events.catalog import EffectClass
from envwright.events.ports.leases import Claim
from envwright.events.values import Value


class EffectCall(Value):
    """One non-deterministic or dear action that a handler is about to take."""

    kind: str
    """Such as `gate`, `model`, `sandbox.exec`."""
    effect_class: EffectClass
    node: str
    """The graph node that acts."""
    task: int = 0
    """Index of the node's task, where a node runs many."""
    request: dict[str, object]
    """What is asked; its digest is recorded and verified."""


class WorkJournal(Protocol):
    """The journal of one claim: serves completed effects of the claim's try, records new ones."""

    def pins(self) -> dict[str, int]:
        """Return what the try had read when its effects were recorded: stream to sequence."""

    def perform(
        self,
        call: EffectCall,
        action: Callable[[str], Json],
        *,
        reads: dict[str, int],
        reap: Callable[[str], None] | None = None,
    ) -> Json:
        """Return the effect's recorded result, or do it: record request, act, record outcome.

        `action` is given the effect's key. The n-th effect of (node, task) has ordinal n.
        A `fenced` effect that was requested and not completed is reaped by key before it reruns.
        An exception of `action` other than a bug (`InfrastructureError`) is not recorded as an
        outcome: the effect stays open and the try ends.

        Raises:
            EffectMismatchError: the recorded request under this key has another digest.
            OutcomeUnknownError: a `once` effect was requested by an earlier holder and never
                completed or resolved.
            FencedError: the claim has been lost.
        """

    @property
    def reexecuted(self) -> int:
        """How many effects of this claim had been requested before and were run again."""

    @property
    def served(self) -> int:
        """How many effects of this claim came from the journal."""


class RecordedWork(WorkJournal, Protocol):
    """The journal of a claim that is over: it serves what was recorded, and acts never."""

    def perform(
        self,
        call: EffectCall,
        action: Callable[[str], Json],
        *,
        reads: dict[str, int],
        reap: Callable[[str], None] | None = None,
    ) -> Json:
        """Return the effect's recorded result; neither `action` nor `reap` is called.

        Raises:
            EffectMissingError: no outcome is recorded for what is asked.
            EffectMismatchError: the recorded request under this key has another digest.
        """

    def unasked(self) -> tuple[str, ...]:
        """Return the keys of the try's recorded effects that nobody has asked for, in order."""


class Journal(Protocol):
    """Opens the journal of a claim."""

    def open(self, claim: Claim) -> WorkJournal:
        """Load what earlier holders of the same try recorded."""

    def recorded(self, claim: Claim) -> RecordedWork:
        """Open the journal of a claim that is over, to replay its decisions."""

    def resolve(self, work: str, key: str, *, decision: str) -> None:
        """Record a person's `retry` or `abandon` for a `once` effect of unknown outcome."""
