"""Port of the bus: doorbells for groups of workers."""

from collections.abc import Collection
from typing import Protocol

from envwright.events.envelope import Envelope
from envwright.events.ports.leases import Work
from envwright.events.values import Value


class Delivery(Value):
    """A doorbell: an event that a group has not handled yet. The lease decides who works."""

    envelope: Envelope
    work: Work
    role: str


class Subscription(Protocol):
    """One worker's ear on the bus."""

    def poll(self, *, limit: int, timeout: float) -> list[Delivery]:
        """Return up to `limit` open deliveries in position order, waiting up to `timeout` seconds.

        A delivery that was neither acknowledged nor parked comes back in a later poll.
        """

    def ack(self, delivery: Delivery) -> None:
        """Say that the delivery's inbox row is committed."""

    def retry(self, delivery: Delivery, *, delay: float) -> None:
        """Ask for the delivery again after `delay` seconds."""

    def park(self, delivery: Delivery, *, error: str) -> None:
        """Give the delivery up; it stays visible as parked."""

    def close(self) -> None:
        """Leave the group."""


class Bus(Protocol):
    """Hands events to groups of workers, at least once."""

    def subscribe(
        self, group: str, roles: Collection[str], *, run_id: str | None = None
    ) -> Subscription:
        """Join `group` for the event types that `roles` answer, of one run or of all.

        Each role is a group of its own, `<group>.<role>`: two roles may answer one event.
        """

    def lag(self, group: str, roles: Collection[str]) -> dict[str, int]:
        """Return how many deliveries each role has not handled, parked ones among them."""

    def notify(self) -> None:
        """Hint that events were committed; only a hint, polls find them anyway."""
