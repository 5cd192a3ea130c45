"""The Kafka bus: doorbells say who works and when, the store says whether there is work."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable

from envwright.events import Envelope, work_id
from envwright.events.kafka.address import KafkaAddress
from envwright.events.kafka.dead_letters import DeadLetterOffice
from envwright.events.kafka.ear import Ear, Hearing
from envwright.events.ports import Bus, Delivery, Leases, Log, Subscription

logger = logging.getLogger(__name__)

RESCUE_SECONDS = 5.0
"""Open work that rang at nobody's door here for so long is served all the same."""

_QUICK, _SLOW = 0.02, 0.2
"""Seconds between looks at the store while something has rung: doubling while it is hindered."""

_LOOK = 0.5
"""Seconds between looks at the store while nothing has rung."""

_MOST_SEEN = 10_000

_SILENT = 300.0
"""Seconds for which nothing is said of a broker that was said to be away."""


class KafkaBus:
    """Hears doorbells over Kafka; see `envwright.events.ports.Bus` for the contract.

    Args:
        address: the brokers and names; the topics are there (`ensure_topics`).
        truth: the store's own bus: which work is open and not held, parked or backing off.
        log: says which events there are, and which are handled.
        leases: says which work is parked.
        rescue: seconds after which open work is served without a doorbell: what a lost doorbell,
            a dead member or an absent broker costs.
        hearing: how the consumers listen.
    """

    def __init__(
        self,
        address: KafkaAddress,
        *,
        truth: Bus,
        log: Log,
        leases: Leases,
        rescue: float = RESCUE_SECONDS,
        hearing: Hearing | None = None,
    ) -> None:
        self._address = address
        self.truth = truth
        self.log = log
        self._leases = leases
        self.rescue = rescue
        self._hearing = hearing or Hearing()
        self._office = DeadLetterOffice(address)
        self._ears: dict[tuple[str, str, str | None], Ear] = {}
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._silent_until = 0.0
        self.changes = 0
        """How often something was heard or hinted at."""

    def subscribe(
        self, group: str, roles: Collection[str], *, run_id: str | None = None
    ) -> "KafkaSubscription":
        """Join `group` for the event types that `roles` answer, of one run or of all.

        The process is one member of each role's group, whatever its number of subscriptions. A
        single run is served by a group of its own: nobody else's doorbells end there.

        Raises:
            BadInputError: a role answers nothing.
        """
        truth = self.truth.subscribe(group, roles, run_id=run_id)
        keys = [(group, role, run_id) for role in sorted(set(roles))]
        with self._lock:
            ears = [self._ears.get(key) or self._join(*key) for key in keys]
            for ear in ears:
                ear.subscribers += 1
        return KafkaSubscription(self, truth, ears)

    def lag(self, group: str, roles: Collection[str]) -> dict[str, int]:
        """Return how many deliveries each role has not handled, by the store's word."""
        return self.truth.lag(group, roles)

    def notify(self) -> None:
        """Wake the polls of this process."""
        self.truth.notify()
        self._rang()

    def wait(self, seen: int, timeout: float) -> bool:
        """Wait until there were more than `seen` changes; False where `timeout` came first."""
        with self._changed:
            return self._changed.wait_for(lambda: self.changes > seen, timeout)

    def leave(self, ears: Iterable[Ear]) -> None:
        """Take a subscription away from its ears; one that nobody listens through leaves."""
        deaf = []
        with self._lock:
            for ear in ears:
                ear.subscribers -= 1
            for key, ear in list(self._ears.items()):
                if ear.subscribers <= 0:
                    deaf.append(self._ears.pop(key))
        _close(deaf)

    @property
    def ears(self) -> list[Ear]:
        """The members of groups that this process is, for tests and metrics."""
        with self._lock:
            return list(self._ears.values())

    def close(self) -> None:
        """Leave every group."""
        with self._lock:
            ears = [self._ears.pop(key) for key in list(self._ears)]
        _close(ears)
        self._office.close()

    def _join(self, group: str, role: str, run_id: str | None) -> Ear:
        name = f"{group}.{role}"
        ear = Ear(
            self._address,
            role,
            self._address.group_id(name, run_id),
            known=self._stranger,
            settled=self._settler(name, run_id),
            office=self._office,
            rang=self._rang,
            deaf=self._complain,
            hearing=self._hearing,
        )
        self._ears[group, role, run_id] = ear
        return ear

    def _complain(self, trouble: str) -> None:
        """Say what keeps an ear from hearing: once for all ears, and again after a while."""
        with self._lock:
            now = time.monotonic()
            level = logging.WARNING if now >= self._silent_until else logging.INFO
            if level == logging.WARNING:
                self._silent_until = now + _SILENT
        logger.log(level, "%s; work goes on through the store, more slowly", trouble)

    def _rang(self) -> None:
        with self._changed:
            self.changes += 1
            self._changed.notify_all()

    def _stranger(self, envelope: Envelope) -> str | None:
        """Say why an event cannot ring: the log does not hold it, or holds it otherwise."""
        recorded = self.log.get(envelope.id)
        if recorded is None:
            return f"the log holds no event {envelope.id!r}"
        if recorded.hash != envelope.hash:
            return f"the log holds event {envelope.id!r} with another hash"
        return None

    def _settler(self, group: str, run_id: str | None) -> Callable[[Envelope], bool]:
        """Return what says of an event whether nothing is left to do about it in a group."""

        def settled(event: Envelope) -> bool:
            if run_id is not None and event.run_id != run_id:
                return True
            if self.log.inbox(group, event.id) is not None:
                return True
            # Parked work is opened again by a person, who rings nowhere: it is then rescued.
            return self._leases.state(work_id(group, event.id)) == "parked"

        return settled


class KafkaSubscription:
    """One worker's ear on Kafka, with the store's word on what it hears.

    What the store says is open and what rang here is delivered at once. What is open and did not
    ring here most likely rang at another member's door: it is put off once, and delivered when it
    is still open after the rescue time.
    """

    def __init__(self, bus: KafkaBus, truth: Subscription, ears: Collection[Ear]) -> None:
        self._bus = bus
        self._truth = truth
        self._ears = {ear.role: ear for ear in ears}
        self._seen: dict[str, float] = {}
        """Work that did not ring here to when it was first seen open."""
        self._hidden: dict[tuple[str, str], tuple[Delivery, float]] = {}
        """(role, event) to what was put off, and until when."""
        self._next_look = 0.0
        self._closed = False

    def poll(self, *, limit: int, timeout: float) -> list[Delivery]:
        """Return up to `limit` open deliveries in position order, waiting up to `timeout` s."""
        deadline = time.monotonic() + timeout
        interval = _QUICK
        while True:
            seen = self._bus.changes
            found = self._due(limit)
            patience = deadline - time.monotonic()
            if found or patience <= 0:
                return found
            if self._bus.wait(seen, min(interval, patience)):
                interval = _QUICK
            else:
                interval = min(2 * interval, _SLOW)

    def ack(self, delivery: Delivery) -> None:
        """Forget the doorbell if the delivery's inbox row is committed; else it is kept."""
        self._truth.ack(delivery)
        self._seen.pop(delivery.work.work, None)
        if self._bus.log.inbox(delivery.work.group, delivery.work.cause) is not None:
            self._ears[delivery.role].done(delivery.work.cause)

    def retry(self, delivery: Delivery, *, delay: float) -> None:
        """Leave the delivery out of this subscription's polls for `delay` seconds."""
        self._truth.retry(delivery, delay=delay)

    def park(self, delivery: Delivery, *, error: str) -> None:
        """Give the delivery up; the relay carries it to the dead letters."""
        self._truth.park(delivery, error=error)

    def close(self) -> None:
        """Leave the group, if no other subscription of this process listens."""
        if not self._closed:
            self._closed = True
            self._truth.close()
            self._bus.leave(self._ears.values())

    def _due(self, limit: int) -> list[Delivery]:
        now = time.monotonic()
        rung = {(role, event) for role, ear in self._ears.items() for event in ear.rung()}
        if not rung and now < self._next_look:
            return []
        self._uncover(rung, now)
        while True:
            page = self._truth.poll(limit=limit, timeout=0)
            others = [each for each in page if not self._is_ours(each, rung, now)]
            if not others:
                self._next_look = now if page else now + _LOOK
                return page
            for delivery in others:
                self._put_off(delivery, now)

    def _is_ours(self, delivery: Delivery, rung: set[tuple[str, str]], now: float) -> bool:
        first = self._seen.get(delivery.work.work)
        overdue = first is not None and now - first >= self._bus.rescue
        return overdue or (delivery.role, delivery.work.cause) in rung

    def _put_off(self, delivery: Delivery, now: float) -> None:
        """Hide what rang elsewhere until it is to be rescued."""
        if len(self._seen) >= _MOST_SEEN:
            # Forgetting only delays a rescue.
            del self._seen[next(iter(self._seen))]
        first = self._seen.setdefault(delivery.work.work, now)
        delay = max(first + self._bus.rescue - now, _QUICK)
        self._hidden[delivery.role, delivery.work.cause] = (delivery, now + delay)
        self._truth.retry(delivery, delay=delay)

    def _uncover(self, rung: set[tuple[str, str]], now: float) -> None:
        """Show again what has rung since it was put off; drop what was put off long enough."""
        for key, (delivery, until) in list(self._hidden.items()):
            if key in rung:
                self._truth.retry(delivery, delay=0)
            elif until <= now:
                self._truth.ack(delivery)
            else:
                continue
            del self._hidden[key]


def _close(ears: Collection[Ear]) -> None:
    """Close ears side by side: each waits for its thread and its farewell to the group."""
    threads = [threading.Thread(target=ear.close) for ear in ears]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
