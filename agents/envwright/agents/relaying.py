"""Relaying: a relay in a thread of this process, started once the broker has its topics."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from envwright.events.errors import InfrastructureError

logger = logging.getLogger(__name__)

_TICK_SECONDS = 0.1
_LONGEST_BACKOFF = 15.0
_LOG_SECONDS = 2.0
"""Between two tries to reach the log, beyond the time that a try itself takes."""


class Relay(Protocol):
    """Carries the log to a broker; see `envwright.store.Relay`."""

    published: int

    @property
    def leads(self) -> bool:
        """Whether it is the one that publishes."""

    def lag(self) -> int:
        """Return how many events of the log are not known to be published."""

    def run(self, stop: threading.Event) -> None:
        """Follow or lead until `stop` is set."""


class RelayThread:
    """A relay at work beside whatever else the process does.

    A broker that is away is waited for and said once; an error that no waiting mends ends the
    thread, and `error` says it. The run needs neither: the store alone serves it.

    Args:
        relay: what carries.
        prepare: makes and checks the topics; raises `InfrastructureError` while no broker answers.
        close: lets go of the broker.
    """

    def __init__(
        self, relay: Relay, *, prepare: Callable[[], None], close: Callable[[], None]
    ) -> None:
        self.relay = relay
        self.error: Exception | None = None
        self.prepared = False
        """Whether a broker has answered and its topics are right."""
        self._prepare, self._close = prepare, close
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def alive(self) -> bool:
        """Say whether it is still at work."""
        return self._thread.is_alive()

    def drain(self, seconds: float) -> int:
        """Wait until everything is published; return what was not after so many seconds.

        Where another relay leads nothing is waited for: that one goes on.
        """
        deadline = time.monotonic() + seconds
        while self.alive() and self.prepared and (lag := self.relay.lag()):
            if time.monotonic() >= deadline:
                return lag
            time.sleep(_TICK_SECONDS)
        return 0

    def stop(self) -> None:
        """End after the batch in hand."""
        self._stop.set()
        self._thread.join()
        self._close()

    def _run(self) -> None:
        try:
            if self._await_broker():
                self._carry()
        except Exception as error:  # Whoever started the thread asks how it ended.
            self.error = error
            logger.error("the relay has ended, and the broker gets no more events: %s", error)

    def _carry(self) -> None:
        """Run the relay, and run it again whenever the log could not be reached."""
        while not self._stop.is_set():
            try:
                self.relay.run(self._stop)
            except InfrastructureError as error:
                logger.warning("the relay waits for the log: %s", error)
                self._stop.wait(_LOG_SECONDS)

    def _await_broker(self) -> bool:
        """Prepare the topics, however long no broker answers; False where `stop` came first."""
        failures = 0
        while not self._stop.is_set():
            try:
                self._prepare()
                self.prepared = True
                return True
            except InfrastructureError as error:
                if not failures:
                    logger.warning("the relay waits for a broker: %s", error)
                failures += 1
                self._stop.wait(min(_LONGEST_BACKOFF, 0.2 * 2**failures))
        return False
