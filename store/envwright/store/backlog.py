"""The backlog: what one group still owes to the log, kept current at the cost of what is new."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import exists, func, select

from envwright.events import ROLES, scope_of, work_id
from envwright.events.ports import Work
from envwright.store.schema import events, inbox, leases, log_head
from envwright.store.transaction import Transaction


class Backlog:
    """The open work of one role in one group, for one run or for all.

    The first refresh walks the role's event types from `mark`; each later one reads only the
    events and inbox rows that have come since. So a poll costs what is pending, not the log.
    """

    def __init__(self, group: str, role: str, run_id: str | None, mark: int) -> None:
        self.group = f"{group}.{role}"
        self.role = role
        self.kept = mark
        """The low-water mark that a restart would begin from."""
        self._run_id = run_id
        self._types = ROLES[role]
        self._scanned = mark
        self._handled: int | None = None
        self._open: dict[str, Work] = {}

    def __iter__(self) -> Iterator[Work]:
        """Yield the open work in position order."""
        return iter(self._open.values())

    def __len__(self) -> int:
        return len(self._open)

    @property
    def mark(self) -> int:
        """The position up to which everything has been handled."""
        first = next(iter(self), None)
        return self._scanned if first is None else first.position - 1

    def refresh(self, tx: Transaction) -> None:
        """Take in what has been recorded and handled since the last refresh."""
        head, handled = tx.connection.execute(_NEWEST).one()
        if head > self._scanned:
            self._add(tx, head)
        if self._handled is not None and handled > self._handled:
            self._drop(tx)
        self._handled = handled

    def _add(self, tx: Transaction, head: int) -> None:
        done = exists().where(inbox.c.group_name == self.group, inbox.c.event_id == events.c.id)
        query = (
            select(
                events.c.id,
                events.c.type,
                events.c.stream,
                events.c.position,
                events.c.run_id,
                events.c.correlation_id,
            )
            .where(events.c.type.in_(self._types), events.c.position > self._scanned, ~done)
            .order_by(events.c.position)
        )
        if self._run_id is not None:
            query = query.where(events.c.run_id == self._run_id)
        for row in tx.connection.execute(query):
            self._open[row.id] = Work(
                work=work_id(self.group, row.id),
                group=self.group,
                cause=row.id,
                stream=row.stream,
                position=row.position,
                run_id=row.run_id,
                correlation_id=row.correlation_id,
                scope=scope_of(row.type, row.run_id),
            )
        self._scanned = head

    def _drop(self, tx: Transaction) -> None:
        query = select(inbox.c.event_id).where(
            inbox.c.group_name == self.group, inbox.c.number > self._handled
        )
        for event_id in tx.connection.scalars(query):
            self._open.pop(event_id, None)


_NEWEST = select(
    select(log_head.c.position).scalar_subquery(),
    select(func.coalesce(func.max(inbox.c.number), 0)).scalar_subquery(),
)


class Hindrances(NamedTuple):
    """Why open work cannot be claimed right now: a snapshot of the leases of some groups."""

    taken: frozenset[tuple[str, str]]
    """(group, cause) that somebody holds, that is parked or that waits for its backoff."""
    parked: dict[tuple[str, str], int]
    """(group, stream) to the position of the first parked delivery."""
    scopes: frozenset[str]
    """Scopes that somebody works in."""

    @classmethod
    def load(cls, tx: Transaction, groups: list[str]) -> "Hindrances":
        """Read the leases that are not done; their number is that of the work in progress."""
        now = tx.now()
        unfinished = select(leases).where(
            leases.c.group_name.in_(groups), leases.c.state.in_(("open", "held", "parked"))
        )
        taken: set[tuple[str, str]] = set()
        parked: dict[tuple[str, str], int] = {}
        for lease in tx.connection.execute(unfinished):
            waits = lease.available_at if lease.state == "open" else lease.expires_at
            if lease.state == "parked":
                place = (lease.group_name, lease.stream)
                parked[place] = min(lease.position, parked.get(place, lease.position))
            if lease.state == "parked" or waits > now:
                taken.add((lease.group_name, lease.cause))
        scopes = select(leases.c.scope).where(
            leases.c.scope.is_not(None), leases.c.state == "held", leases.c.expires_at > now
        )
        return cls(
            frozenset(taken), parked, frozenset(scope for scope in tx.connection.scalars(scopes))
        )

    def hold(self, work: Work) -> bool:
        """Say whether something keeps this work from being claimed."""
        first_parked = self.parked.get((work.group, work.stream))
        return (
            (work.group, work.cause) in self.taken
            or (first_parked is not None and first_parked < work.position)
            or work.scope in self.scopes
        )
