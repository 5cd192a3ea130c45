"""Streams as handlers read them: a bounded cache of immutable events, topped up from the log."""

import threading
from collections import OrderedDict

from envwright.events.envelope import Envelope
from envwright.events.ports import Log

_STREAMS = 256


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
