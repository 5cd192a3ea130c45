"""Port of the leases: who works on what, on the database's clock, with fencing tokens."""

from typing import Literal, Protocol

from envwright.events.values import Value

LeaseState = Literal["open", "held", "done", "parked"]


class Work(Value):
    """What one group owes to one event."""

    work: str
    group: str
    cause: str
    """Id of the event to answer."""
    stream: str
    """Stream of the cause: a parked delivery holds later ones of this stream in this group."""
    position: int
    run_id: str
    correlation_id: str
    scope: str | None = None
    """At most one live claim per scope, such as `admission/<run>`."""


class Claim(Value):
    """A live lease on a piece of work."""

    work: Work
    holder: str
    token: int
    """Fencing token; rises with every claim."""
    try_number: int
    """Rises on a retry; a takeover keeps it, and with it the recorded effects."""
    failures: int = 0
    """Infrastructure errors and handler errors so far; conflicts do not count."""


class Leases(Protocol):
    """Claims on work; a mutable table whose claims, expiries and parkings are also events."""

    def claim(self, work: Work, *, holder: str, ttl: float) -> Claim | None:
        """Take the work for `ttl` seconds, or return None where that is not possible now.

        None: it is done or parked, somebody holds it, it waits for its backoff, its scope is
        held, or an earlier delivery of its stream is parked for its group.
        Writes `work.claimed`.
        """

    def renew(self, claim: Claim, *, ttl: float) -> bool:
        """Extend the lease; False where it has been lost. Writes no event."""

    def release(self, claim: Claim) -> None:
        """Give the work back untouched: the next claim is a takeover of the same try."""

    def retry(self, claim: Claim, *, delay: float, conflict: bool = False) -> None:
        """Give the work back for a new try after `delay` seconds.

        `conflict` (a ConcurrencyError) does not count as a failure.
        """

    def park(self, claim: Claim, *, error: str) -> None:
        """Set the work aside after too many failures. Writes `delivery.parked`."""

    def reissue(self, run_id: str, *, work: str | None = None) -> int:
        """Open the parked work and clear the failures and backoffs of a run; returns how many.

        With `work` only that piece of it.
        """

    def sweep(self) -> int:
        """Expire leases that ran out, writing `work.expired`; returns how many."""

    def holders(self) -> tuple[str, ...]:
        """Return who holds live leases, sorted."""

    def expire(self, holder: str) -> int:
        """Expire every lease of a holder known to be dead, writing `work.expired`; how many."""

    def state(self, work: str) -> LeaseState | None:
        """Return the state of a piece of work, None if nobody ever claimed it."""

    def parked(self, run_id: str) -> tuple[Work, ...]:
        """Return the parked work of a run, in position order."""

    def held(self, run_id: str) -> int:
        """Return how many live leases a run has."""

    def waiting(self, run_id: str) -> int:
        """Return how many pieces of work of a run wait for their backoff to end."""
