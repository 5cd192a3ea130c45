"""The store-backed bus: every worker of a group sees every doorbell, and the lease decides."""

import heapq
import threading
import time
from collections.abc import Collection, Iterator
from itertools import islice
from operator import attrgetter

from envwright.events import ROLES
from envwright.events.errors import BadInputError, ConcurrencyError
from envwright.events.ports import Commit, CursorMove, Delivery, Work
from envwright.store.backlog import Backlog, Hindrances
from envwright.store.database import Database
from envwright.store.leases import StoreLeases
from envwright.store.log import StoreLog
from envwright.store.transaction import Transaction

_QUICK, _SLOW = 0.02, 0.2
"""Seconds between polls of the database: quick after a delivery, doubling while idle."""

_MARK_EVERY = 1000
"""Positions after which a group's low-water mark is kept, so that a restart begins there."""

_BACKLOGS = 64


class StoreBus:
    """Finds doorbells in the log itself; see `envwright.events.ports.Bus` for the contract."""

    def __init__(self, database: Database, log: StoreLog, leases: StoreLeases) -> None:
        self.database = database
        self.log = log
        self.leases = leases
        self.lock = threading.Lock()
        self._changed = threading.Condition()
        self._changes = 0
        self._listening = False
        self._backlogs: dict[tuple[str, str, str | None], Backlog] = {}

    def subscribe(
        self, group: str, roles: Collection[str], *, run_id: str | None = None
    ) -> "StoreSubscription":
        """Join `group` for the event types that `roles` answer, of one run or of all.

        Raises:
            BadInputError: a role answers nothing.
        """
        unknown = sorted(set(roles) - set(ROLES))
        if unknown:
            raise BadInputError(f"no role {unknown[0]!r}; there are {', '.join(ROLES)}")
        backlogs = [self._backlog(group, role, run_id) for role in sorted(set(roles))]
        return StoreSubscription(self, backlogs, keep_marks=run_id is None)

    def lag(self, group: str, roles: Collection[str]) -> dict[str, int]:
        """Return how many deliveries each role has not handled, parked ones among them."""
        backlogs = [self._backlog(group, role, None) for role in sorted(set(roles))]

        def count(tx: Transaction) -> dict[str, int]:
            for backlog in backlogs:
                backlog.refresh(tx)
            return {backlog.role: len(backlog) for backlog in backlogs}

        with self.lock:
            return self.database.query(count)

    def notify(self) -> None:
        """Wake the subscriptions of this process."""
        with self._changed:
            self._changes += 1
            self._changed.notify_all()

    @property
    def changes(self) -> int:
        """How often this process was notified."""
        return self._changes

    def wait(self, seen: int, timeout: float) -> bool:
        """Wait until there were more than `seen` changes; False where `timeout` came first."""
        if not self._listening:
            self._listening = True
            self.database.listen(self.notify)
        with self._changed:
            return self._changed.wait_for(lambda: self._changes > seen, timeout)

    def _backlog(self, group: str, role: str, run_id: str | None) -> Backlog:
        """Return the process's one backlog of a role, which all its subscriptions share."""
        key = (group, role, run_id)
        with self.lock:
            if key not in self._backlogs:
                mark = 0 if run_id is not None else self.log.cursor(_mark_name(f"{group}.{role}"))
                if len(self._backlogs) >= _BACKLOGS:
                    del self._backlogs[next(iter(self._backlogs))]
                self._backlogs[key] = Backlog(group, role, run_id, mark)
            return self._backlogs[key]


class StoreSubscription:
    """One worker's ear on the store."""

    def __init__(self, bus: StoreBus, backlogs: list[Backlog], *, keep_marks: bool) -> None:
        self._bus = bus
        self._backlogs = backlogs
        self._roles = {backlog.group: backlog.role for backlog in backlogs}
        self._keep_marks = keep_marks
        self._delayed: dict[str, float] = {}
        self._interval = _QUICK

    def poll(self, *, limit: int, timeout: float) -> list[Delivery]:
        """Return up to `limit` open deliveries in position order, waiting up to `timeout` s."""
        deadline = time.monotonic() + timeout
        while True:
            seen = self._bus.changes
            works = self._due(limit)
            if works:
                self._interval = _QUICK
                return list(self._deliveries(works))
            patience = deadline - time.monotonic()
            if patience <= 0:
                return []
            if self._bus.wait(seen, min(self._interval, patience)):
                self._interval = _QUICK
            else:
                self._interval = min(2 * self._interval, _SLOW)

    def ack(self, delivery: Delivery) -> None:
        """Say that the delivery's inbox row is committed; the next poll sees the row itself."""
        self._delayed.pop(delivery.work.work, None)

    def retry(self, delivery: Delivery, *, delay: float) -> None:
        """Leave the delivery out of this subscription's polls for `delay` seconds."""
        self._delayed[delivery.work.work] = time.monotonic() + delay

    def park(self, delivery: Delivery, *, error: str) -> None:
        """Give the delivery up, unless somebody holds a live claim on it and so decides."""
        self._delayed.pop(delivery.work.work, None)
        self._bus.leases.give_up(delivery.work, error=error)

    def close(self) -> None:
        """Leave the group."""
        self._delayed.clear()

    def _due(self, limit: int) -> list[Work]:
        # Backlogs are shared by the process's subscriptions: one refreshes for all.
        with self._bus.lock:
            hindrances = self._bus.database.query(self._refresh)
            now = time.monotonic()
            works = heapq.merge(*self._backlogs, key=attrgetter("position"))
            due = (
                work
                for work in works
                if self._delayed.get(work.work, now) <= now and not hindrances.hold(work)
            )
            found = list(islice(due, limit))
        if self._keep_marks:
            self._remember()
        return found

    def _refresh(self, tx: Transaction) -> Hindrances:
        for backlog in self._backlogs:
            backlog.refresh(tx)
        return Hindrances.load(tx, sorted(self._roles))

    def _deliveries(self, works: list[Work]) -> Iterator[Delivery]:
        for work in works:
            envelope = self._bus.log.get(work.cause)
            assert envelope is not None
            yield Delivery(envelope=envelope, work=work, role=self._roles[work.group])

    def _remember(self) -> None:
        """Keep low-water marks now and then; losing a race for one loses nothing."""
        for backlog in self._backlogs:
            if backlog.mark < backlog.kept + _MARK_EVERY:
                continue
            name, mark = _mark_name(backlog.group), backlog.mark
            move = CursorMove(name=name, expected=backlog.kept, position=mark)
            try:
                self._bus.log.commit(Commit(cursor=move))
                backlog.kept = mark
            except ConcurrencyError:
                backlog.kept = self._bus.log.cursor(name)


def _mark_name(group: str) -> str:
    return f"bus/{group}"
