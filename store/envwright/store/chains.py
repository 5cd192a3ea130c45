"""Chains: fast verification of stored events against their hashes and against each other."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from operator import itemgetter
from typing import NamedTuple

from envwright.events import GENESIS
from envwright.events.values import Value
from envwright.store.database import Database
from envwright.store.records import StoredEvent

_PAGE = 2048

_SELECT = """
    SELECT e.position, e.id, e.stream, e.sequence, e.idempotency_key, e.type, e.run_id,
           e.correlation_id, e.header, e.payload_hash, e.previous_hash, e.hash, e.recorded_at,
           p.body
    FROM events e LEFT JOIN payloads p ON p.position = e.position
    WHERE e.position > ?
"""
_LINK = "SELECT hash FROM events WHERE stream = ? AND sequence = ? AND position < ?"
_HEAD = "SELECT (SELECT position FROM log_head), (SELECT MAX(position) FROM events)"
_COPIED = ("id", "stream", "sequence", "idempotency_key", "type", "run_id", "correlation_id")
"""Columns that repeat a header field, in the order of `ChainRow` from its second field on."""

_copied = itemgetter(*_COPIED)
_decode = json.JSONDecoder().raw_decode


class Divergence(Value):
    """The first place where what is stored differs from what it should be."""

    event: str
    """Id of the event; where the event itself is missing, `position <n>`."""
    expected: str
    actual: str


class ChainRow(NamedTuple):
    """All columns of a stored event; `payload` is None where the row is missing."""

    position: int
    id: str
    stream: str
    sequence: int
    idempotency_key: str
    type: str
    run_id: str
    correlation_id: str
    header: bytes
    payload_hash: str
    previous_hash: str
    hash: str
    recorded_at: str
    payload: bytes | None

    def stored(self) -> StoredEvent:
        """Return the part of the row that an envelope is made from."""
        return StoredEvent(
            self.position,
            self.header,
            self.payload_hash,
            self.previous_hash,
            self.hash,
            self.recorded_at,
            self.payload or b"",
        )


def chain_rows(database: Database, run_id: str | None = None) -> Iterator[ChainRow]:
    """Yield the stored events of the log, or of one run, in position order."""
    query = _SELECT + (" AND e.run_id = ?" if run_id is not None else "")
    query += f" ORDER BY e.position LIMIT {_PAGE}"
    after, filters = 0, () if run_id is None else (run_id,)
    while True:
        with database.read() as tx:
            page = tx.raw.execute(query, (after, *filters)).fetchall()
        yield from map(ChainRow._make, page)
        if len(page) < _PAGE:
            return
        after = page[-1][0]


def check_positions(database: Database) -> Divergence | None:
    """Check that the log has every position from 1 to its head; a hole is named."""
    with database.read() as tx:
        head, last = tx.raw.execute(_HEAD).fetchone()
        count = tx.raw.execute("SELECT COUNT(*) FROM events").fetchone()[0]
        if (last or 0) == head == count:
            return None
        expected = 0
        for expected, (position, event) in enumerate(
            tx.raw.execute("SELECT position, id FROM events ORDER BY position"), start=1
        ):
            if position != expected:
                return Divergence(
                    event=event, expected=f"position {expected}", actual=f"position {position}"
                )
    return Divergence(
        event=f"position {expected + 1}",
        expected=f"a log up to position {head}",
        actual=f"its last event is at position {last or 0}",
    )


class ChainCheck:
    """Checks stored events one after the other, each stream's in order of sequence."""

    def __init__(self, earlier: Callable[[ChainRow], str | None]) -> None:
        """`earlier` looks up the hash before an event whose stream is checked in part only."""
        self._earlier = earlier
        self._heads: dict[str, tuple[int, str]] = {}

    def check(self, row: ChainRow) -> Divergence | None:
        """Return what is wrong with the next event, None where all of it matches."""
        if row.payload is None:
            return Divergence(event=row.id, expected="a payload", actual="its row is missing")
        payload_hash = sha256(row.payload).hexdigest()
        if payload_hash != row.payload_hash:
            return _differs(row, "payload", row.payload_hash, payload_hash)
        previous = self._previous(row)
        if previous is None or previous != row.previous_hash:
            place = f"hash of {row.stream} #{row.sequence - 1}"
            return _differs(row, place, previous or "(none recorded)", row.previous_hash)
        linked = bytes.fromhex(previous) + row.header + bytes.fromhex(payload_hash)
        actual = sha256(linked).hexdigest()
        if actual != row.hash:
            return _differs(row, "header", row.hash, actual)
        self._heads[row.stream] = (row.sequence, actual)
        return _check_columns(row)

    def _previous(self, row: ChainRow) -> str | None:
        sequence, head = self._heads.get(row.stream, (0, GENESIS))
        if row.sequence == sequence + 1:
            return head
        return self._earlier(row)


def earlier_hash(database: Database) -> Callable[[ChainRow], str | None]:
    """Return a look-up of the hash of the event before one in its stream, None without one."""

    def look_up(row: ChainRow) -> str | None:
        with database.read() as tx:
            place = (row.stream, row.sequence - 1, row.position)
            found = tx.raw.execute(_LINK, place).fetchone()
        return None if found is None else str(found[0])

    return look_up


def _check_columns(row: ChainRow) -> Divergence | None:
    """Check that the columns repeat what the header, proved by its hash, says."""
    header, _ = _decode(row.header.decode("ascii"))
    expected, actual = _copied(header), row[1 : 1 + len(_COPIED)]
    if expected == actual:
        return None
    name, was, now = next(
        each for each in zip(_COPIED, expected, actual, strict=True) if each[1] != each[2]
    )
    return _differs(row, name, str(was), str(now))


def _differs(row: ChainRow, part: str, expected: str, actual: str) -> Divergence:
    return Divergence(event=row.id, expected=f"{part} {expected}", actual=f"{part} {actual}")
