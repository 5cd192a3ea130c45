"""Tampering with an embedded home, as somebody could who has the file."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from envwright.events import GENESIS, chain_hash, digest_bytes, encode

TRIGGERS = "SELECT name FROM sqlite_schema WHERE type = 'trigger'"


@contextmanager
def tampering(home: Path) -> Iterator[sqlite3.Connection]:
    """Open a home as somebody who has the file and takes the triggers away."""
    raw = sqlite3.connect(home / "log.sqlite", isolation_level=None)
    raw.execute("PRAGMA foreign_keys = OFF")
    for (name,) in raw.execute(TRIGGERS).fetchall():
        raw.execute(f"DROP TRIGGER {name}")
    yield raw
    raw.close()


def flip(raw: sqlite3.Connection, table: str, column: str, position: int, at: int) -> None:
    """Change one bit of a stored value."""
    query = f"SELECT {column} FROM {table} WHERE position = ?"
    value = raw.execute(query, (position,)).fetchone()[0]
    data = bytearray(value if isinstance(value, bytes) else value.encode())
    data[at % len(data)] ^= 4
    changed = bytes(data) if isinstance(value, bytes) else data.decode()
    raw.execute(f"UPDATE {table} SET {column} = ? WHERE position = ?", (changed, position))


def rechain(home: Path, stream: str, old: bytes = b'"pass"', new: bytes = b'"fail"') -> int:
    """Change a stream's first payload that has `old` in it, and make all its hashes anew.

    Returns the position of what was changed.
    """
    changed = 0

    def change(rows: "list[Row]") -> None:
        nonlocal changed
        for position, row in enumerate(rows, start=1):
            if row["header"]["stream"] == stream and old in row["body"]:
                row["body"], changed = row["body"].replace(old, new, 1), position
                return

    rewrite(home, change)
    return changed


def exchange(home: Path, one: int, other: int) -> None:
    """Let two events change places."""
    with tampering(home) as raw:
        for table in ("events", "payloads"):
            for before, after in ((one, -1), (other, one), (-1, other)):
                raw.execute(f"UPDATE {table} SET position = ? WHERE position = ?", (after, before))


def cut(home: Path, after: int) -> None:
    """Drop all events after a position, and say that there were none."""
    with tampering(home) as raw:
        for table in ("payloads", "events"):
            raw.execute(f"DELETE FROM {table} WHERE position > ?", (after,))
        raw.execute("UPDATE log_head SET position = ?", (after,))


Row = dict[str, Any]
"""An event as who rewrites a log sees it: `header` as JSON, `body`, `recorded_at`."""


def rewrite(home: Path, change: Callable[[list[Row]], None]) -> None:
    """Rewrite a whole log, as somebody could who knows all about it but has no signing key.

    `change` may drop, add, alter and move events; positions, sequences, columns and hashes are
    made to fit, so that nothing but a seal can tell.
    """
    with tampering(home) as raw:
        query = """
            SELECT e.header, p.body, e.recorded_at FROM events e JOIN payloads p USING (position)
            ORDER BY position
        """
        rows: list[Row] = [
            {"header": json.loads(header), "body": body, "recorded_at": when}
            for header, body, when in raw.execute(query).fetchall()
        ]
        change(rows)
        heads: dict[str, tuple[int, str]] = {}
        raw.execute("DELETE FROM payloads")
        raw.execute("DELETE FROM events")
        for position, row in enumerate(rows, start=1):
            fields, body = row["header"], row["body"]
            sequence, previous = heads.get(fields["stream"], (0, GENESIS))
            fields["sequence"] = sequence + 1
            header, payload_hash = encode(fields), digest_bytes(body)
            hashed = chain_hash(previous, header, payload_hash)
            heads[fields["stream"]] = (sequence + 1, hashed)
            names = ("id", "stream", "sequence", "idempotency_key", "type", "run_id",
                     "correlation_id")  # fmt: skip
            copies = [fields[name] for name in names]
            values = (position, *copies, header, payload_hash, previous, hashed,
                      row["recorded_at"])  # fmt: skip
            raw.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(values))})", values)
            raw.execute("INSERT INTO payloads VALUES (?, ?)", (position, body))
        raw.execute("UPDATE log_head SET position = ?", (len(rows),))
