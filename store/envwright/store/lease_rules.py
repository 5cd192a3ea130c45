"""The rules of leases: who may claim what, over the rows of the mutable table."""

from typing import Any

from sqlalchemy import ColumnElement, Row, and_, func, or_, select, update

from envwright.events.ports import Claim, Work
from envwright.store.schema import inbox, leases
from envwright.store.transaction import Transaction

Lease = Row[Any]
"""A row of `leases`."""

UNCLAIMED = {
    "state": "open",
    "holder": "",
    "token": 0,
    "try_number": 1,
    "failures": 0,
    "expires_at": 0.0,
    "available_at": 0.0,
    "reason": "new",
}
"""What a row begins with."""


def row_of(work: Work) -> dict[str, Any]:
    """Return the columns that name a piece of work."""
    fields = work.model_dump()
    fields["group_name"] = fields.pop("group")
    return fields


def work_of(lease: Lease) -> Work:
    """Return the work that a row is about."""
    return Work(
        work=lease.work,
        group=lease.group_name,
        cause=lease.cause,
        stream=lease.stream,
        position=lease.position,
        run_id=lease.run_id,
        correlation_id=lease.correlation_id,
        scope=lease.scope,
    )


def find_lease(tx: Transaction, work: str) -> Lease | None:
    """Return the row of a piece of work, None if nobody ever claimed it."""
    return tx.connection.execute(select(leases).where(leases.c.work == work)).one_or_none()


def set_leases(tx: Transaction, which: ColumnElement[bool], **values: Any) -> int:
    """Change some rows; returns how many."""
    return tx.connection.execute(update(leases).where(which).values(**values)).rowcount


def count_leases(which: ColumnElement[bool]) -> Any:
    """Return the query that counts some rows."""
    return select(func.count()).select_from(leases).where(which)


def held_by(claim: Claim) -> ColumnElement[bool]:
    """Select the row of a claim, if that has not been lost."""
    return and_(
        leases.c.work == claim.work.work,
        leases.c.token == claim.token,
        leases.c.state == "held",
    )


def live(now: float) -> ColumnElement[bool]:
    """Select what is held and has not run out."""
    return and_(leases.c.state == "held", leases.c.expires_at > now)


def handled(tx: Transaction, work: Work) -> bool:
    """Say whether the group has an inbox row for the cause, with or without a lease."""
    query = select(inbox.c.number).where(
        inbox.c.group_name == work.group, inbox.c.event_id == work.cause
    )
    return tx.connection.scalar(query) is not None


def claimable(lease: Lease | None, now: float) -> bool:
    """Say whether a lease is open and past its backoff, or was held and ran out."""
    if lease is None:
        return True
    if lease.state == "held":
        return bool(lease.expires_at <= now)
    return bool(lease.state == "open" and lease.available_at <= now)


def hindered(tx: Transaction, work: Work, now: float) -> bool:
    """Say whether an earlier parked delivery of the stream, or a live claim in scope, stops it."""
    parked_before = and_(
        leases.c.group_name == work.group,
        leases.c.state == "parked",
        leases.c.stream == work.stream,
        leases.c.position < work.position,
    )
    others = [parked_before]
    if work.scope is not None:
        others.append(and_(leases.c.scope == work.scope, leases.c.work != work.work, live(now)))
    return tx.connection.scalar(select(leases.c.work).where(or_(*others)).limit(1)) is not None
