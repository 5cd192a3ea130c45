"""Port of the append-only log: one atomic commit, reads by stream and by position."""

from collections.abc import Collection, Iterator
from typing import Protocol

from envwright.events.envelope import Envelope, NewEvent
from envwright.events.values import Value


class Append(Value):
    """Events for one stream, with the version that the writer expects it to have."""

    stream: str
    events: tuple[NewEvent, ...]
    expected: int | None = None
    """Version before the append; 0 is a new stream, None is any version."""


class Fence(Value):
    """The claim that a commit rests on."""

    work: str
    token: int


class InboxEntry(Value):
    """Marks a cause as handled by a group, with what the handler had read."""

    group: str
    event_id: str
    work: str
    basis: dict[str, int]
    """Stream to sequence, as read."""


class CursorMove(Value):
    """Compare-and-set of a named cursor."""

    name: str
    expected: int
    position: int


class ProjectionWrite(Value):
    """Sets (or, with None, deletes) one row of a projection."""

    projection: str
    key: str
    value: bytes | None


class Commit(Value):
    """Everything that one transaction does: all of it or nothing."""

    appends: tuple[Append, ...] = ()
    inbox: InboxEntry | None = None
    fence: Fence | None = None
    """With `inbox`, the fenced work is done once this commits."""
    cursor: CursorMove | None = None
    projections: tuple[ProjectionWrite, ...] = ()


class Committed(Value):
    """What a commit did."""

    positions: tuple[int, ...]
    """One per event in the order of the appends; an idempotent repeat has its first position."""
    repeated: int = 0
    """How many of them had been recorded before."""


class Log(Protocol):
    """Append-only log of events with contiguous, commit-ordered positions.

    Every method may raise `InfrastructureError` where the database cannot be reached or written.
    """

    def commit(self, commit: Commit) -> Committed:
        """Apply a commit durably, all or nothing.

        An event whose idempotency key is known with the same type, stream and payload is not
        appended again: its first position is returned. A repeat never fails on `expected`.

        Raises:
            ConcurrencyError: a stream is not at its `expected` version, the inbox entry exists
                already, or the cursor is not where it was expected.
            FencedError: the fence's token is not the current one of its work.
            IdempotencyError: a known idempotency key with another payload.
        """

    def read(self, stream: str, *, after: int = 0, up_to: int | None = None) -> Iterator[Envelope]:
        """Yield a stream's events with `after < sequence <= up_to`, in order.

        Raises:
            IntegrityError: a large body's artifact does not match, or a header is unreadable.
        """

    def read_all(
        self,
        *,
        after: int = 0,
        up_to: int | None = None,
        run_id: str | None = None,
        types: Collection[str] | None = None,
        limit: int | None = None,
    ) -> Iterator[Envelope]:
        """Yield events with `after < position <= up_to` in position order, filtered."""

    def get(self, event_id: str) -> Envelope | None:
        """Return the event with this id."""

    def version(self, stream: str) -> int:
        """Return the stream's version: the sequence of its last event, 0 if it has none."""

    def head(self) -> int:
        """Return the position of the last event of the log, 0 if it is empty."""

    def inbox(self, group: str, event_id: str) -> InboxEntry | None:
        """Return the inbox entry of a handled cause, or None where it is still open."""

    def cursor(self, name: str) -> int:
        """Return a named cursor's position, 0 if it never moved."""

    def projection(self, projection: str, *, prefix: str = "") -> Iterator[tuple[str, bytes]]:
        """Yield the rows of a projection whose keys begin with `prefix`, in key order.

        The rows are read in pages: a commit between two pages shows in the later one.
        """

    def projection_row(self, projection: str, key: str) -> bytes | None:
        """Return one row of a projection, None where there is none."""

    def close(self) -> None:
        """Release files and connections; commits that were acknowledged are durable already."""
