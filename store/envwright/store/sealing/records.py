"""Records: the checkpoints that a log keeps, and the leaves that they are made of."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from envwright.events.errors import ConcurrencyError, IntegrityError
from envwright.store.database import Database
from envwright.store.sealing.tree import Frontier
from envwright.store.sealing.verify import CHECKPOINT, Record, signed_bytes
from envwright.store.transaction import Transaction

_PAGE = 4096

_LEAVES = f"""
    SELECT position, id, recorded_at, hash FROM events
    WHERE position > ? AND position <= ? ORDER BY position LIMIT {_PAGE}
"""
_COLUMNS = """
    number, home, from_position, to_position, root, previous, key_id, signature, frontier
"""
_CHECKPOINTS = f"SELECT {_COLUMNS} FROM merkle_checkpoints WHERE number > ? ORDER BY number"
_LAST = f"SELECT {_COLUMNS} FROM merkle_checkpoints ORDER BY number DESC LIMIT 1"
_INSERT = f"INSERT INTO merkle_checkpoints ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_HEAD = "SELECT position FROM log_head"
_FIRST = "SELECT hash FROM events ORDER BY position LIMIT 1"


class LeafRow(NamedTuple):
    """What of an event its leaf is made of, and its id."""

    position: int
    id: str
    recorded_at: str
    hash: str


@dataclass(frozen=True)
class KeptCheckpoint:
    """A checkpoint as the log keeps it."""

    record: Record
    """What was signed and anchored."""
    frontier: str
    """Not signed itself, but its root is."""

    def tree(self) -> Frontier:
        """Return the tree up to here, ready to grow.

        Raises:
            IntegrityError: the kept frontier is not one of the signed root.
        """
        try:
            peaks = [bytes.fromhex(peak) for peak in json.loads(self.frontier)]
            tree = Frontier(self.record["to"], peaks)
        except (ValueError, TypeError, AttributeError) as error:
            raise IntegrityError(
                f"the frontier of checkpoint {self.record['number']} is unreadable: {error}"
            ) from error
        if tree.root().hex() != self.record["root"]:
            raise IntegrityError(
                f"the frontier of checkpoint {self.record['number']} is not one of its root"
            )
        return tree


def home_id(first_hash: str) -> str:
    """Return the id of a log, which it has from its first event on: 32 hex digits."""
    return sha256(b"envwright log\n" + first_hash.encode()).hexdigest()[:32]


def log_id(database: Database) -> str | None:
    """Return the id of a log; None of an empty one."""
    row = database.query(lambda tx: tx.raw.execute(_FIRST).fetchone())
    return None if row is None else home_id(row[0])


def head(database: Database) -> int:
    """Return the position of the last event as the head row has it."""
    return int(database.query(lambda tx: tx.raw.execute(_HEAD).fetchone())[0])


def leaf_rows(database: Database, after: int, up_to: int) -> Iterator[LeafRow]:
    """Yield the leaves of a range of positions, in order."""
    while True:
        place = (after, up_to)
        page = database.query(lambda tx: tx.raw.execute(_LEAVES, place).fetchall())  # noqa: B023
        yield from map(LeafRow._make, page)
        if len(page) < _PAGE:
            return
        after = page[-1][0]


def kept_checkpoints(database: Database, after: int = 0) -> list[KeptCheckpoint]:
    """Return the checkpoints with a number above `after`, oldest first."""
    rows = database.query(lambda tx: tx.raw.execute(_CHECKPOINTS, (after,)).fetchall())
    return [_kept(row) for row in rows]


def last_checkpoint(database: Database) -> KeptCheckpoint | None:
    """Return the newest checkpoint."""
    row = database.query(lambda tx: tx.raw.execute(_LAST).fetchone())
    return None if row is None else _kept(row)


def keep_checkpoint(transaction: Transaction, record: Record, frontier: Frontier) -> None:
    """Keep a checkpoint, in a write transaction, if it is the next one.

    Raises:
        ConcurrencyError: another process has kept one meanwhile.
    """
    last = transaction.raw.execute(_LAST).fetchone()
    number = last[0] if last is not None else 0
    if record["number"] != number + 1:
        raise ConcurrencyError(
            f"checkpoint {record['number']} is no longer the next; the log has {number}"
        )
    peaks = json.dumps([peak.hex() for peak in frontier.peaks])
    names = ("number", "home", "from", "to", "root", "previous", "key", "signature")
    row = (*(record[name] for name in names), peaks)
    transaction.raw.execute(_INSERT, row)


def chained(record: Record | None) -> str:
    """Return what the next checkpoint names as its previous one."""
    return "0" * 64 if record is None else sha256(signed_bytes(record)).hexdigest()


def _kept(row: Any) -> KeptCheckpoint:
    # SQLite keeps values of any type anywhere; what is none of these is no checkpoint either way.
    known = (part if isinstance(part, int | str) else repr(part) for part in row)
    number, home, start, end, root, previous, key, signature, frontier = known
    record = {
        "format": CHECKPOINT,
        "number": number,
        "home": home,
        "from": start,
        "to": end,
        "root": root,
        "previous": previous,
        "key": key,
        "signature": signature,
    }
    return KeptCheckpoint(record, str(frontier))
