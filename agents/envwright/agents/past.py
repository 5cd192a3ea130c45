"""The past: a runtime whose log ends at a position, so that whatever reads it sees how it was."""

import threading
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import takewhile

from envwright.agents.runtime import Runtime
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError, LogError
from envwright.events.ports import Commit, Committed, InboxEntry, Log


class PastLog:
    """A log up to a position: events alone, to be read.

    Positions of a stream rise with its sequence, so nothing after the position is looked at.
    """

    def __init__(self, log: Log, position: int) -> None:
        self._log = log
        self._position = position

    def read(self, stream: str, *, after: int = 0, up_to: int | None = None) -> Iterator[Envelope]:
        """Yield a stream's events with `after < sequence <= up_to`, in order."""
        events = self._log.read(stream, after=after, up_to=up_to)
        return takewhile(lambda envelope: envelope.position <= self._position, events)

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
        last = self._position if up_to is None else min(up_to, self._position)
        return self._log.read_all(after=after, up_to=last, run_id=run_id, types=types, limit=limit)

    def get(self, event_id: str) -> Envelope | None:
        """Return the event with this id, if it was there."""
        envelope = self._log.get(event_id)
        return envelope if envelope and envelope.position <= self._position else None

    def version(self, stream: str) -> int:
        """Return the version that the stream had, by bisection of its sequences."""
        low, high = 0, self._log.version(stream)
        while low < high:
            middle = (low + high + 1) // 2
            [envelope] = self._log.read(stream, after=middle - 1, up_to=middle)
            if envelope.position <= self._position:
                low = middle
            else:
                high = middle - 1
        return low

    def head(self) -> int:
        """Return the position that the log ends at."""
        return min(self._position, self._log.head())

    def commit(self, commit: Commit) -> Committed:
        """Refuse: nothing can be added to the past."""
        raise LogError("a log that is shown as it was cannot be written")

    def inbox(self, group: str, event_id: str) -> InboxEntry | None:
        """Refuse: what was handled by then is not told by positions."""
        raise self._only_events()

    def cursor(self, name: str) -> int:
        """Refuse: cursors have no past."""
        raise self._only_events()

    def projection(self, projection: str, *, prefix: str = "") -> Iterator[tuple[str, bytes]]:
        """Refuse: projections have no past."""
        raise self._only_events()

    def projection_row(self, projection: str, key: str) -> bytes | None:
        """Refuse: projections have no past."""
        raise self._only_events()

    def close(self) -> None:
        """Leave the log open: it is somebody else's."""

    def _only_events(self) -> LogError:
        return LogError(f"only events have a past; this log is shown as of {self._position}")


def as_of(runtime: Runtime, position: int) -> Runtime:
    """Return a runtime to read with, in which nothing after a position has happened."""
    past = PastLog(runtime.log, position)
    return replace(runtime, log=past, cleanup=(), _states={}, _lock=threading.Lock())


def is_past(runtime: Runtime) -> bool:
    """Say whether a runtime shows the log as it was, beside which no lease or cursor counts."""
    return isinstance(runtime.log, PastLog)


def position_of(runtime: Runtime, text: str) -> int:
    """Return the position that a number or an event's id names.

    Raises:
        BadInputError: there is no such position, or no such event.
    """
    head = runtime.log.head()
    if text.isdecimal():
        position = int(text)
        if position > head:
            raise BadInputError(f"position {text} is beyond the head of the log, which is {head}")
        if position == 0:
            raise BadInputError("position 0 is before the first event, which is at 1")
        return position
    envelope = runtime.log.get(text)
    if envelope is None:
        raise BadInputError(
            f"{text!r} is no position (1 to {head}) and no event of {runtime.config.place}; "
            "`envwright events` lists positions and ids"
        )
    return envelope.position
