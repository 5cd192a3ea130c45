"""Leases: who works on what, on the database's clock; claims are events too."""

from typing import Literal

from sqlalchemy import ColumnElement, and_, insert, select, true

from envwright.events import Fact, NewEvent
from envwright.events.catalog import DeliveryParked, WorkClaimed, WorkExpired
from envwright.events.ports import Claim, LeaseState, Work
from envwright.events.values import Actor
from envwright.store.actor import system_actor
from envwright.store.database import Database
from envwright.store.lease_rules import (
    UNCLAIMED,
    claimable,
    count_leases,
    find_lease,
    handled,
    held_by,
    hindered,
    live,
    row_of,
    set_leases,
    work_of,
)
from envwright.store.log import StoreLog
from envwright.store.schema import leases
from envwright.store.transaction import Transaction

_Reason = Literal["new", "takeover", "retry", "conflict", "reissued"]


class StoreLeases:
    """The leases of a store; see `envwright.events.ports.Leases` for the contract.

    Giving back a claim that has been lost does nothing: its next holder decides.
    """

    def __init__(self, database: Database, log: StoreLog) -> None:
        self._database = database
        self._log = log

    def claim(self, work: Work, *, holder: str, ttl: float) -> Claim | None:
        """Take the work for `ttl` seconds, or return None where that is not possible now."""
        return self._database.write(lambda tx: self._claim(tx, work, holder, ttl))

    def renew(self, claim: Claim, *, ttl: float) -> bool:
        """Extend the lease; False where it has been lost."""

        def extend(tx: Transaction) -> bool:
            return set_leases(tx, held_by(claim), expires_at=tx.now() + ttl) == 1

        return self._database.write(extend)

    def release(self, claim: Claim) -> None:
        """Give the work back untouched: the next claim is a takeover of the same try."""
        self._database.write(
            lambda tx: set_leases(
                tx, held_by(claim), state="open", reason="takeover", available_at=0.0
            )
        )

    def retry(self, claim: Claim, *, delay: float, conflict: bool = False) -> None:
        """Give the work back for a new try after `delay` seconds."""

        def give_back(tx: Transaction) -> None:
            set_leases(
                tx,
                held_by(claim),
                state="open",
                reason="conflict" if conflict else "retry",
                try_number=claim.try_number + 1,
                failures=leases.c.failures + (0 if conflict else 1),
                available_at=tx.now() + delay,
            )

        self._database.write(give_back)

    def park(self, claim: Claim, *, error: str) -> None:
        """Set the work aside after too many failures."""

        def set_aside(tx: Transaction) -> None:
            lease = find_lease(tx, claim.work.work)
            if lease is not None and (lease.state, lease.token) == ("held", claim.token):
                self._park(tx, claim.work, claim.failures + 1, error)

        self._database.write(set_aside)

    def give_up(self, work: Work, *, error: str) -> None:
        """Park work that nobody has a live claim on; work that somebody holds is left to them."""

        def set_aside(tx: Transaction) -> None:
            lease = find_lease(tx, work.work)
            if handled(tx, work):
                return
            if lease is None:
                tx.connection.execute(insert(leases).values(row_of(work) | UNCLAIMED))
            elif lease.state == "parked" or (lease.state == "held" and lease.expires_at > tx.now()):
                return
            # A token of its own fences out whoever held the work last.
            set_leases(tx, leases.c.work == work.work, token=leases.c.token + 1)
            self._park(tx, work, 1 if lease is None else lease.failures + 1, error)

        self._database.write(set_aside)

    def reissue(self, run_id: str, *, work: str | None = None) -> int:
        """Open the parked work and clear the failures and backoffs of a run, or of one piece.

        Returns how many pieces of work were parked.
        """
        which = true() if work is None else leases.c.work == work

        def reopen(tx: Transaction) -> int:
            of_run = and_(leases.c.run_id == run_id, which)
            opened = set_leases(
                tx,
                and_(of_run, leases.c.state == "parked"),
                state="open",
                reason="reissued",
                try_number=leases.c.try_number + 1,
            )
            set_leases(tx, and_(of_run, leases.c.state == "open"), failures=0, available_at=0.0)
            return opened

        return self._database.write(reopen)

    def sweep(self) -> int:
        """Expire leases that ran out; returns how many."""

        def ran_out(tx: Transaction) -> ColumnElement[bool]:
            return and_(leases.c.state == "held", leases.c.expires_at <= tx.now())

        if not self._database.query(lambda tx: tx.connection.scalar(count_leases(ran_out(tx)))):
            return 0
        return self._database.write(lambda tx: self._expire_all(tx, ran_out(tx)))

    def holders(self) -> tuple[str, ...]:
        """Return who holds live leases, sorted."""

        def find(tx: Transaction) -> list[str]:
            query = select(leases.c.holder).where(live(tx.now())).distinct()
            return sorted(tx.connection.scalars(query))

        return tuple(self._database.query(find))

    def expire(self, holder: str) -> int:
        """Expire every lease of a holder known to be dead; returns how many."""
        held = and_(leases.c.state == "held", leases.c.holder == holder)
        return self._database.write(lambda tx: self._expire_all(tx, held))

    def state(self, work: str) -> LeaseState | None:
        """Return the state of a piece of work, None if nobody ever claimed it."""
        lease = self._database.query(lambda tx: find_lease(tx, work))
        state: LeaseState | None = None if lease is None else lease.state
        return state

    def parked(self, run_id: str) -> tuple[Work, ...]:
        """Return the parked work of a run, in position order."""
        query = (
            select(leases)
            .where(leases.c.run_id == run_id, leases.c.state == "parked")
            .order_by(leases.c.position, leases.c.work)
        )
        found = self._database.query(lambda tx: tx.connection.execute(query).all())
        return tuple(map(work_of, found))

    def held(self, run_id: str) -> int:
        """Return how many live leases a run has."""
        return self._database.query(
            lambda tx: _count(tx, leases.c.run_id == run_id, live(tx.now()))
        )

    def waiting(self, run_id: str) -> int:
        """Return how many pieces of work of a run wait for their backoff to end."""

        def count(tx: Transaction) -> int:
            backing_off = and_(leases.c.state == "open", leases.c.available_at > tx.now())
            return _count(tx, leases.c.run_id == run_id, backing_off)

        return self._database.query(count)

    def _claim(self, tx: Transaction, work: Work, holder: str, ttl: float) -> Claim | None:
        lease, now = find_lease(tx, work.work), tx.now()
        if handled(tx, work) or not claimable(lease, now) or hindered(tx, work, now):
            return None
        if lease is None:
            tx.connection.execute(insert(leases).values(row_of(work) | UNCLAIMED))
        elif lease.state == "held":
            self._expire_all(tx, leases.c.work == work.work)
        lease = find_lease(tx, work.work)
        assert lease is not None
        claim = Claim(
            work=work,
            holder=holder,
            token=lease.token + 1,
            try_number=lease.try_number,
            failures=lease.failures,
        )
        set_leases(
            tx,
            leases.c.work == work.work,
            state="held",
            holder=holder,
            token=claim.token,
            expires_at=now + ttl,
        )
        self._record_claim(tx, claim, lease.reason)
        return claim

    def _record_claim(self, tx: Transaction, claim: Claim, reason: _Reason) -> None:
        fact = WorkClaimed(
            work=claim.work.work,
            group=claim.work.group,
            cause=claim.work.cause,
            token=claim.token,
            try_number=claim.try_number,
            reason=reason,
        )
        self._log.append_within(
            tx, _event(claim.work, fact, f"claimed/{claim.token}", system_actor(claim.holder))
        )

    def _expire_all(self, tx: Transaction, which: ColumnElement[bool]) -> int:
        expired = tx.connection.execute(
            select(leases).where(which).order_by(leases.c.position, leases.c.work)
        ).all()
        for lease in expired:
            set_leases(
                tx,
                leases.c.work == lease.work,
                state="open",
                reason="takeover",
                available_at=0.0,
            )
            fact = WorkExpired(work=lease.work, token=lease.token)
            event = _event(work_of(lease), fact, f"expired/{lease.token}", system_actor())
            self._log.append_within(tx, event)
        return len(expired)

    def _park(self, tx: Transaction, work: Work, failures: int, error: str) -> None:
        set_leases(tx, leases.c.work == work.work, state="parked", failures=failures)
        lease = find_lease(tx, work.work)
        assert lease is not None
        fact = DeliveryParked(
            work=work.work, group=work.group, cause=work.cause, error=error, failures=failures
        )
        event = _event(work, fact, f"parked/{lease.token}", system_actor(lease.holder))
        self._log.append_within(tx, event)


def _count(tx: Transaction, *which: ColumnElement[bool]) -> int:
    return int(tx.connection.scalar(count_leases(and_(*which))) or 0)


def _event(work: Work, fact: Fact, key: str, actor: Actor) -> NewEvent:
    return NewEvent(
        fact=fact,
        run_id=work.run_id,
        correlation_id=work.correlation_id,
        actor=actor,
        idempotency_key=f"{work.work}/{key}",
        causation_id=work.cause,
    )
