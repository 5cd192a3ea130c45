"""Bounded output: keeps the head of a stream, drains the rest, cuts between characters."""

import codecs
import threading
from typing import IO

_CHUNK = 64 * 1024


class BoundedOutput:
    """Reads a pipe to its end in a thread, so that a talkative job never blocks or fills memory."""

    def __init__(self, pipe: IO[bytes], limit: int) -> None:
        self._pipe = pipe
        self._limit = limit
        self._kept = bytearray()
        self._more = False
        self._thread = threading.Thread(target=self._drain, daemon=True)
        self._thread.start()

    def finish(self, seconds: float) -> tuple[str, bool]:
        """Wait for the end of the stream; return its text and whether something was cut."""
        self._thread.join(seconds)
        kept = bytes(self._kept)
        return cut_text(kept, self._more), self._more

    def _drain(self) -> None:
        with self._pipe:
            while chunk := self._pipe.read1(_CHUNK):  # type: ignore[attr-defined]
                room = self._limit - len(self._kept)
                self._kept += chunk[:room]
                self._more = self._more or len(chunk) > room


def cut_text(data: bytes, more: bool) -> str:
    """Decode UTF-8; where `more` bytes followed, a character that was cut in two is dropped."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return decoder.decode(data, final=not more)
