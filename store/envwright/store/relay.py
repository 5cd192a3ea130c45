"""The relay: carries the log to a bus in position order, every event once, under one leader."""

import logging
import threading
import time
from itertools import islice

from envwright.events.errors import (
    BadInputError,
    ConcurrencyError,
    FencedError,
    InfrastructureError,
)
from envwright.events.messages import PREFIX, Announcer
from envwright.events.ports import Commit, CursorMove, Log, Publisher

logger = logging.getLogger(__name__)

_QUICK, _SLOW = 0.01, 0.2
"""Seconds between looks at the log: quick after an event, doubling while there is none."""

_LONGEST_BACKOFF = 15.0
_FENCED_PATIENCE = 2.0
"""Least patience of a relay that was shut out: two that never wait would take turns for ever."""


class Relay:
    """Publishes the log: facts, doorbells and dead letters of a batch in one transaction.

    The cursor is kept in the log and only ever moves forward. It may lag behind what was
    published, never lead; a new leader asks the bus itself where the last whole batch ended.
    Any number of relays may run: one leads, the others watch the cursor and take over when it
    stands still although there is something to publish.

    Args:
        log: where events come from, and where the cursor is kept.
        publisher: the bus; fences every relay but the last that took the lead.
        group: the consumer group whose work ids are the keys of doorbells.
        prefix: first part of the topics' names, and of the cursor's.
        batch: most events in one transaction.
        patience: seconds for which the cursor may stand still before this relay takes the lead.
    """

    def __init__(
        self,
        log: Log,
        publisher: Publisher,
        *,
        group: str = PREFIX,
        prefix: str = PREFIX,
        batch: int = 1000,
        patience: float = 2.0,
    ) -> None:
        self._log = log
        self._publisher = publisher
        self._announcer = Announcer(log.get, group=group, prefix=prefix)
        self._batch = batch
        self._patience = patience
        self._cursor = f"relay/{prefix}"
        self._wake = threading.Event()
        self._leads = False
        self._position = 0
        self.published = 0
        """Events that this relay has published."""

    @property
    def leads(self) -> bool:
        """Whether this relay leads; one that was shut out learns it with its next batch."""
        return self._leads

    def lag(self) -> int:
        """Return how many events of the log are not known to be published."""
        return self._log.head() - max(self._log.cursor(self._cursor), self._position)

    def wake(self) -> None:
        """Hint that events were committed; only a hint, the relay looks anyway."""
        self._wake.set()

    def run(self, stop: threading.Event) -> None:
        """Follow or lead until `stop` is set. A bus that is away is waited for.

        Raises:
            BadInputError: the bus holds another log's events, or refuses a message for good.
            IntegrityError: an event of the log cannot be read.
        """
        failures, patience = 0, self._patience
        while not stop.is_set() and self._follow(stop, patience):
            patience = self._patience
            try:
                self.lead()
                failures = 0
                self._publish_until(stop)
            except FencedError as error:
                logger.info("the relay gives up the lead: %s", error)
                patience = max(patience, _FENCED_PATIENCE)
            except InfrastructureError as error:
                failures += 1
                delay = min(_LONGEST_BACKOFF, 0.2 * 2**failures)
                logger.warning("the relay waits %.1f s: %s", delay, error)
                stop.wait(delay)
            finally:
                self._leads = False

    def lead(self) -> int:
        """Take the lead; return the position after which there is something to publish.

        Raises:
            InfrastructureError: the bus cannot be reached.
            BadInputError: the bus holds events that are not of this log.
        """
        last = self._publisher.lead()
        if last.position:
            self._check_origin(last.position, last.event_id)
        self._position = max(last.position, self._log.cursor(self._cursor))
        self._advance(self._position)
        self._leads = True
        return self._position

    def step(self) -> int:
        """Publish the next batch, as the leader; return how many events were in it.

        Raises:
            FencedError: another relay leads.
            InfrastructureError: it is unknown whether the batch was published; lead again.
        """
        pending = self._log.read_all(after=self._position, limit=self._batch)
        batch = list(islice(pending, self._batch))
        if batch:
            self._publisher.publish(self._announcer.messages(batch))
            self._position = batch[-1].position
            self.published += len(batch)
            self._advance(self._position)
        return len(batch)

    def _publish_until(self, stop: threading.Event) -> None:
        interval = _QUICK
        while not stop.is_set():
            if self.step():
                interval = _QUICK
                continue
            if self._wake.wait(interval):
                self._wake.clear()
                interval = _QUICK
            else:
                interval = min(2 * interval, _SLOW)

    def _follow(self, stop: threading.Event, patience: float) -> bool:
        """Wait until nobody seems to lead; False where `stop` was set before."""
        seen, since = self._log.cursor(self._cursor), time.monotonic()
        while not stop.is_set():
            cursor = self._log.cursor(self._cursor)
            if cursor != seen or cursor >= self._log.head():
                seen, since = cursor, time.monotonic()
            if patience == 0 or time.monotonic() - since >= patience:
                return True
            stop.wait(min(_SLOW, patience / 4))
        return False

    def _advance(self, position: int) -> None:
        """Move the cursor forward to a position that is published; it never goes back."""
        while (cursor := self._log.cursor(self._cursor)) < position:
            move = CursorMove(name=self._cursor, expected=cursor, position=position)
            try:
                self._log.commit(Commit(cursor=move))
            except ConcurrencyError:
                continue

    def _check_origin(self, position: int, event_id: str) -> None:
        """Refuse a bus whose last event is not this log's event at that position."""
        found = next(self._log.read_all(after=position - 1, up_to=position), None)
        if found is None or found.id != event_id:
            ours = "nothing" if found is None else f"event {found.id}"
            raise BadInputError(
                f"the bus holds event {event_id} at position {position} and this log {ours}: its "
                "topics belong to another log; use another topic prefix, or delete those topics"
            )
