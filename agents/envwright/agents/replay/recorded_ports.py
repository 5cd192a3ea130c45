"""Recorded ports: what a handler reads and says when a delivery of the past is replayed.

Nothing that is done to them reaches the log, the journal, the leases or the artifacts.
"""

from collections.abc import Callable
from typing import Any

from envwright.agents.replay.guard import LOG, Guard
from envwright.events import NewEvent, digest, digest_bytes
from envwright.events.canonical import Json
from envwright.events.errors import EffectError
from envwright.events.ports import (
    ArtifactStore,
    Commit,
    Committed,
    EffectCall,
    Log,
    RecordedWork,
)
from envwright.events.values import ArtifactRef


class SaidLog:
    """Keeps what a handler commits; whatever else it asks of the log is noted."""

    def __init__(self, log: Log, work: str, guard: Guard) -> None:
        self._log = log
        self._work = work
        self._guard = guard
        self._events: dict[str, NewEvent] = {}
        self.parts: list[int] = []
        """How many events had been said at each commit."""

    @property
    def said(self) -> list[NewEvent]:
        """What has been committed, in the order in which it was said."""
        keys = (digest([self._work, ordinal]) for ordinal in range(len(self._events)))
        return [self._events[key] for key in keys]

    def commit(self, commit: Commit) -> Committed:
        """Keep the events of a commit; nothing is written."""
        events = [event for append in commit.appends for event in append.events]
        self._events.update((event.idempotency_key, event) for event in events)
        self.parts.append(len(self._events))
        return Committed(positions=(0,) * len(events))

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._log, name)
        if not name.startswith("_"):
            self._guard.note(LOG, f"log.{name}")
        return found


class ScratchArtifacts:
    """The artifacts of a home, with a scratch layer above them that takes whatever is kept."""

    def __init__(self, kept: ArtifactStore) -> None:
        self._kept = kept
        self._scratch: dict[str, bytes] = {}

    def put(self, data: bytes, media_type: str = "application/octet-stream") -> ArtifactRef:
        """Keep `data` for as long as this lasts."""
        reference = ArtifactRef(digest=digest_bytes(data), size=len(data), media_type=media_type)
        if not self._kept.has(reference.digest):
            self._scratch[reference.digest] = data
        return reference

    def get(self, digest: str) -> bytes:
        """Return the bytes.

        Raises:
            ArtifactMissingError: nothing is kept under `digest`.
            ArtifactCorruptError: what is kept does not hash to `digest`.
        """
        scratch = self._scratch.get(digest)
        return self._kept.get(digest) if scratch is None else scratch

    def has(self, digest: str) -> bool:
        """Say whether something is kept under `digest`."""
        return digest in self._scratch or self._kept.has(digest)


class PinnedJournal:
    """The recorded effects of a delivery, its reads pinned to its basis."""

    def __init__(self, recorded: RecordedWork, basis: dict[str, int]) -> None:
        self._recorded = recorded
        self._basis = basis
        self.problems: list[EffectError] = []
        """What was asked for and is not recorded, or not so, whatever the handler made of it."""

    def pins(self) -> dict[str, int]:
        """Return what the delivery had read: stream to sequence."""
        return self._basis

    def perform(
        self,
        call: EffectCall,
        action: Callable[[str], Json],
        *,
        reads: dict[str, int],
        reap: Callable[[str], None] | None = None,
    ) -> Json:
        """Return the effect's recorded result; neither `action` nor `reap` is called."""
        served = self._recorded.served
        try:
            return self._recorded.perform(call, action, reads=reads)
        except EffectError as error:
            if self._recorded.served == served:
                self.problems.append(error)
            raise

    def unasked(self) -> tuple[str, ...]:
        """Return the keys of the recorded effects that nobody has asked for."""
        return self._recorded.unasked()

    @property
    def reexecuted(self) -> int:
        """Nothing is run again."""
        return 0

    @property
    def served(self) -> int:
        """How many effects came from the journal."""
        return self._recorded.served
