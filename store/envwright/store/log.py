"""The log: commits through the writer, reads in pages that never wait for it."""

import heapq
import json
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

from sqlalchemy import Row, Select, func, select

from envwright.events import Envelope, NewEvent
from envwright.events.ports import Append, ArtifactStore, Commit, Committed, InboxEntry
from envwright.store.commits import apply, prepare_commit
from envwright.store.database import Database
from envwright.store.records import StoredEvent, restore
from envwright.store.schema import cursors, events, inbox, log_head, projections
from envwright.store.transaction import Transaction

_PAGE = 512
_END = 2**63 - 1

_SELECT = """
    SELECT e.position, e.header, e.payload_hash, e.previous_hash, e.hash, e.recorded_at, p.body
    FROM events e JOIN payloads p ON p.position = e.position
"""


class StoreLog:
    """The append-only log of a store; see `envwright.events.ports.Log` for the contract."""

    def __init__(self, database: Database, artifacts: ArtifactStore) -> None:
        self._database = database
        self._artifacts = artifacts

    def commit(self, commit: Commit) -> Committed:
        """Apply a commit durably, all or nothing."""
        prepared = prepare_commit(commit, self._artifacts)
        return self._database.write(lambda transaction: apply(transaction, prepared))

    def append_within(self, transaction: Transaction, *new: NewEvent) -> None:
        """Append events to their streams in a write transaction that is open already."""
        appends = tuple(Append(stream=event.fact.stream, events=(event,)) for event in new)
        apply(transaction, prepare_commit(Commit(appends=appends), self._artifacts))

    def read(self, stream: str, *, after: int = 0, up_to: int | None = None) -> Iterator[Envelope]:
        """Yield a stream's events with `after < sequence <= up_to`, in order."""
        where = "e.stream = ? AND e.sequence > ? AND e.sequence <= ?"
        query = f"{_SELECT} WHERE {where} ORDER BY e.sequence LIMIT {_PAGE}"
        last = _END if up_to is None else up_to
        while True:
            page = self._page(query, (stream, after, last))
            for stored in page:
                envelope = restore(stored, self._artifacts)
                after = envelope.sequence
                yield envelope
            if len(page) < _PAGE:
                return

    def read_all(
        self,
        *,
        after: int = 0,
        up_to: int | None = None,
        run_id: str | None = None,
        types: Collection[str] | None = None,
        limit: int | None = None,
    ) -> Iterator[Envelope]:
        """Yield events with `after < position <= up_to` in position order, filtered."""
        span = (after, _END if up_to is None else up_to)
        page = _PAGE if limit is None else min(limit, _PAGE)
        if run_id is not None:
            stored = self._scan(span, page, "run_id", run_id)
        elif types is not None:
            # One index walk per type, merged: a filter over the whole log would read all of it.
            walks = [self._scan(span, page, "type", name) for name in sorted(set(types))]
            stored = heapq.merge(*walks, key=attrgetter("position"))
        else:
            stored = self._scan(span, page)
        envelopes = (restore(event, self._artifacts) for event in stored)
        if run_id is not None and types is not None:
            wanted = frozenset(types)
            envelopes = (envelope for envelope in envelopes if envelope.type in wanted)
        return islice(envelopes, limit)

    def get(self, event_id: str) -> Envelope | None:
        """Return the event with this id."""
        page = self._page(f"{_SELECT} WHERE e.id = ?", (event_id,))
        return restore(page[0], self._artifacts) if page else None

    def version(self, stream: str) -> int:
        """Return the sequence of a stream's last event, 0 if it has none."""
        query = select(func.max(events.c.sequence)).where(events.c.stream == stream)
        return self._number(query)

    def head(self) -> int:
        """Return the position of the last event of the log, 0 if it is empty."""
        return self._number(select(log_head.c.position))

    def inbox(self, group: str, event_id: str) -> InboxEntry | None:
        """Return the inbox entry of a handled cause, or None where it is still open."""
        query = select(inbox.c.work, inbox.c.basis).where(
            inbox.c.group_name == group, inbox.c.event_id == event_id
        )
        row = self._database.query(lambda tx: tx.connection.execute(query).one_or_none())
        if row is None:
            return None
        basis = json.loads(row.basis)
        return InboxEntry(group=group, event_id=event_id, work=row.work, basis=basis)

    def cursor(self, name: str) -> int:
        """Return a named cursor's position, 0 if it never moved."""
        query = select(cursors.c.position).where(cursors.c.name == name)
        return self._number(query)

    def projection(self, projection: str, *, prefix: str = "") -> Iterator[tuple[str, bytes]]:
        """Yield the rows of a projection whose keys begin with `prefix`, in key order."""
        query = (
            select(projections.c.key, projections.c.value)
            .where(projections.c.projection == projection)
            .order_by(projections.c.key)
            .limit(_PAGE)
        )
        if prefix:
            # What follows every text that begins with the prefix, in the order of code points.
            query = query.where(projections.c.key < prefix[:-1] + chr(ord(prefix[-1]) + 1))
        page = query.where(projections.c.key >= prefix)
        while True:
            rows = self._rows(page)
            yield from ((row.key, row.value) for row in rows)
            if len(rows) < _PAGE:
                return
            page = query.where(projections.c.key > rows[-1].key)

    def projection_row(self, projection: str, key: str) -> bytes | None:
        """Return one row of a projection, None where there is none."""
        query = select(projections.c.value).where(
            projections.c.projection == projection, projections.c.key == key
        )
        value: bytes | None = self._database.query(lambda tx: tx.connection.scalar(query))
        return value

    def close(self) -> None:
        """Release files and connections."""
        self._database.close()

    def _scan(
        self, span: tuple[int, int], size: int, column: str = "", value: str = ""
    ) -> Iterator[StoredEvent]:
        after, last = span
        where = "e.position > ? AND e.position <= ?"
        if column:
            where += f" AND e.{column} = ?"
        query = f"{_SELECT} WHERE {where} ORDER BY e.position LIMIT {size}"
        while size:
            page = self._page(query, (after, last, value) if column else (after, last))
            yield from page
            if len(page) < size:
                return
            after = page[-1].position

    def _page(self, query: str, parameters: tuple[str | int, ...]) -> list[StoredEvent]:
        rows = self._database.query(lambda tx: tx.raw.execute(query, parameters).fetchall())
        return [StoredEvent(*row) for row in rows]

    def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        return self._database.query(lambda tx: tx.connection.execute(query).all())

    def _number(self, query: Select[Any]) -> int:
        return int(self._database.query(lambda tx: tx.connection.scalar(query)) or 0)
