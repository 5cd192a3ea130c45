"""Chains: fast verification of stored events against their hashes and against each other."""

import json
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple

import orjson

from envwright.events import GENESIS
from envwright.events.values import Value
from envwright.store.database import Database
from envwright.store.records import StoredEvent

_PAGE = 1024

_SELECT = """
    SELECT e.position, e.id, e.stream, e.sequence, e.idempotency_key, e.type, e.run_id,
           e.correlation_id, e.header, e.payload_hash, e.previous_hash, e.hash, e.recorded_at,
           p.body
    FROM events e LEFT JOIN payloads p ON p.position = e.position
    WHERE e.position > ? AND e.position <= ?
"""
_LINK = "SELECT hash FROM events WHERE stream = ? AND sequence = ? AND position < ?"
_HEAD = "SELECT (SELECT position FROM log_head), (SELECT MAX(position) FROM events)"
_COPIED = ("id", "stream", "sequence", "idempotency_key", "type", "run_id", "correlation_id")
"""Columns that repeat a header field, in the order of `ChainRow` from its second field on."""

END = 2**63 - 1
"""No position is above it."""

_copied = itemgetter(*_COPIED)

PlainRow = tuple[Any, ...]
"""The columns of a `ChainRow` as the driver gives them."""


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


def chain_pages(
    database: Database, run_id: str | None = None, *, after: int = 0, up_to: int = END
) -> Iterator[list[PlainRow]]:
    """Yield the stored events with `after < position <= up_to`, or those of one run, in pages."""
    query = _SELECT + (" AND e.run_id = ?" if run_id is not None else "")
    query += f" ORDER BY e.position LIMIT {_PAGE}"
    filters = () if run_id is None else (run_id,)
    while True:
        with database.read() as tx:
            page = tx.raw.execute(query, (after, up_to, *filters)).fetchall()
        if page:
            yield page
        if len(page) < _PAGE:
            return
        after = page[-1][0]


def chain_rows(
    database: Database, run_id: str | None = None, *, after: int = 0, up_to: int = END
) -> Iterator[ChainRow]:
    """Yield the stored events of the log, or of one run, in position order."""
    for page in chain_pages(database, run_id, after=after, up_to=up_to):
        yield from map(ChainRow._make, page)


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
        self._doubtful: dict[str, tuple[int, str]] = {}
        """Of streams with a wrong event, what the hash of the last one would have to be."""

    def check_page(self, rows: Sequence[PlainRow]) -> list[tuple[ChainRow, Divergence]]:
        """Return what is wrong with the next events: faster than one by one where all is well."""
        if self._hold(rows):
            return []
        found = ((row, self.check(row)) for row in map(ChainRow._make, rows))
        return [(row, divergence) for row, divergence in found if divergence is not None]

    def check(self, row: ChainRow) -> Divergence | None:
        """Return what is wrong with the next event, None where all of it matches."""
        try:
            return self._wrong(row)
        except (TypeError, ValueError) as error:  # SQLite keeps values of any type anywhere.
            return Divergence(
                event=str(row.id), expected="columns of their own types", actual=str(error)
            )

    def _wrong(self, row: ChainRow) -> Divergence | None:
        if row.payload is None:
            return Divergence(event=row.id, expected="a payload", actual="its row is missing")
        payload_hash = sha256(row.payload).hexdigest()
        previous = self._previous(row)
        # As stored, so that one wrong event does not make those after it look wrong too.
        self._heads[row.stream] = (row.sequence, row.hash)
        if payload_hash != row.payload_hash:
            return _differs(row, "payload", row.payload_hash, payload_hash)
        if previous is None or previous != row.previous_hash:
            place = f"hash of {row.stream} #{row.sequence - 1}"
            return _differs(row, place, previous or "(none recorded)", row.previous_hash)
        linked = bytes.fromhex(previous) + row.header + bytes.fromhex(payload_hash)
        actual = sha256(linked).hexdigest()
        if actual != row.hash:
            self._doubtful[row.stream] = (row.sequence, actual)
            return _differs(row, "header", row.hash, actual)
        return _check_columns(row)

    def _hold(self, rows: Sequence[PlainRow]) -> bool:
        """Say whether all is well with a page of events, and move on behind it if so."""
        _, *copies, headers, payload_hashes, previous, hashes, _, payloads = zip(*rows, strict=True)
        try:
            bodies = [body.digest() for body in map(sha256, payloads)]
            if [body.hex() for body in bodies] != list(payload_hashes):
                return False
            linked = map(b"".join, zip(map(bytes.fromhex, previous), headers, bodies, strict=True))
            if [each.hexdigest() for each in map(sha256, linked)] != list(hashes):
                return False
            fields = list(map(_copied, map(orjson.loads, headers)))
        except (TypeError, ValueError, KeyError):
            return False
        return fields == list(zip(*copies, strict=True)) and self._linked(rows)

    def _linked(self, rows: Sequence[PlainRow]) -> bool:
        moved: dict[str, tuple[int, str]] = {}
        for row in rows:
            _, _, stream, sequence, *_, previous_hash, hashed, _, _ = row
            head = moved.get(stream) or self._heads.get(stream, (0, GENESIS))
            if sequence == head[0] + 1:
                previous: str | None = head[1]
            else:
                previous = self._earlier(ChainRow._make(row))
            if previous != previous_hash:
                return False
            moved[stream] = (sequence, hashed)
        self._heads |= moved
        return True

    def _previous(self, row: ChainRow) -> str | None:
        place = row.sequence - 1
        if self._doubtful.get(row.stream) == (place, row.previous_hash):
            return row.previous_hash
        sequence, head = self._heads.get(row.stream, (0, GENESIS))
        return head if sequence == place else self._earlier(row)


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
    try:
        expected = _copied(_fields(row.header))
    except (TypeError, ValueError, KeyError) as error:
        return Divergence(event=row.id, expected="a readable header", actual=repr(error))
    actual = row[1 : 1 + len(_COPIED)]
    if expected == actual:
        return None
    name, was, now = next(
        each for each in zip(_COPIED, expected, actual, strict=True) if each[1] != each[2]
    )
    return _differs(row, name, str(was), str(now))


def _fields(header: bytes) -> Any:
    """Return the fields of a header; text that only the standard library reads is a rare case."""
    try:
        return orjson.loads(header)
    except ValueError:
        return json.loads(header)


def _differs(row: ChainRow, part: str, expected: str, actual: str) -> Divergence:
    return Divergence(event=row.id, expected=f"{part} {expected}", actual=f"{part} {actual}")
