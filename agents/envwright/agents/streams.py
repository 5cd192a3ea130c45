"""Streams as handlers read them: a bounded cache of immutable events, topped up from the log."""

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Mapping
from operator import attrgetter
from typing import Protocol

from envwright.events.envelope import Envelope
from envwright.events.ports import Log

_STREAMS = 256


class Streams(Protocol):
    """Streams as a handler reads them."""

    def read(self, stream: str, *, up_to: int | None = None) -> list[Envelope]:
        """Return the stream's events up to a sequence, or all that there are."""


class StreamCache:
    """Keeps the prefixes of recently read streams; recorded events never change."""

    def __init__(self, log: Log, streams: int = _STREAMS) -> None:
        self._log = log
        self._limit = streams
        self._known: OrderedDict[str, list[Envelope]] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, stream: str, *, up_to: int | None = None) -> list[Envelope]:
        """Return the stream's events up to a sequence, or all that there are now."""
        with self._lock:
            events = self._known.setdefault(stream, [])
            self._known.move_to_end(stream)
            if up_to is None or len(events) < up_to:
                events.extend(self._log.read(stream, after=len(events)))
            while len(self._known) > self._limit:
                self._known.popitem(last=False)
            return events[:up_to]


class StreamsAsOf:
    """Streams as they were at a position of the log: what came later is not there yet."""

    def __init__(
        self, streams: Streams, position: int, pins: Mapping[str, int] | None = None
    ) -> None:
        """Take the position, and by stream the sequence that had been read beyond it."""
        self._streams = streams
        self._position = position
        self._pins = pins or {}

    def read(self, stream: str, *, up_to: int | None = None) -> list[Envelope]:
        """Return the stream's events up to a sequence, or all that there were."""
        events = self._streams.read(stream, up_to=up_to)
        there = bisect_right(events, self._position, key=attrgetter("position"))
        return events[: max(there, self._pins.get(stream, 0))]
