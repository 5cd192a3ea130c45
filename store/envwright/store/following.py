"""Following: a thread that keeps read models current while others write the log."""

import logging
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self

from envwright.events.errors import InfrastructureError

_TICK_SECONDS = 0.2
_LONGEST_BACKOFF = 5.0

_log = logging.getLogger(__name__)


class CatchesUp(Protocol):
    """What can be brought to the end of the log."""

    def catch_up(self) -> int:
        """Fold what has been recorded; returns the position that was aimed at."""


class Follower:
    """Catches up at every tick, or when it is woken; see `envwright.events.ports.Following`.

    A database that cannot be reached is tried again, ever later up to five seconds (ours).
    """

    def __init__(
        self,
        models: CatchesUp,
        moved: Callable[[int], None] = lambda position: None,
        *,
        tick_seconds: float = _TICK_SECONDS,
    ) -> None:
        self._models = models
        self._moved = moved
        self._tick = tick_seconds
        self._position = -1
        self._reached = threading.Condition()
        self._woken = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="read-models", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._woken.set()
        self._thread.join()

    def wake(self) -> None:
        """Look at the log at once instead of at the next tick."""
        self._woken.set()

    def wait_for(self, position: int, timeout: float) -> bool:
        """Wait until no read model is behind a position, parked ones apart; False if too late."""
        with self._reached:
            return self._reached.wait_for(lambda: self._position >= position, timeout)

    def _run(self) -> None:
        pause = self._tick
        while not self._done.is_set():
            self._woken.clear()
            try:
                self._advance(self._models.catch_up())
                pause = self._tick
            except InfrastructureError as error:
                pause = min(_LONGEST_BACKOFF, 2 * pause)
                _log.warning("read models wait %.1f s: %s", pause, error)
            self._woken.wait(pause)

    def _advance(self, position: int) -> None:
        if position <= self._position:
            return
        with self._reached:
            self._position = position
            self._reached.notify_all()
        self._moved(position)
