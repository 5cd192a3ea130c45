"""Tampering with an embedded home, as somebody could who has the file."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
