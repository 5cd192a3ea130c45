"""The transaction: what code that reads or writes tables is given, with the database's clock."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

# SQLite before 3.42 has no unixepoch('subsec'); a Julian day in a double resolves 40 microseconds.
_NOW = "SELECT (julianday('now', ?) - 2440587.5) * 86400.0"

TIMESTAMP = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)"
"""SQL of the clock as ISO 8601 in UTC; its parameter is `Transaction.shift()`."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """An open transaction on one connection."""

    connection: Connection
    """SQLAlchemy's, for everything that is not hot."""
    raw: sqlite3.Connection
    """The driver's beneath it, for the append and read paths."""
    clock_offset: Callable[[], float]
    """Seconds that the clock is moved by; tests move it."""

    def now(self) -> float:
        """Return the database's clock in seconds since 1970."""
        return float(self.raw.execute(_NOW, (self.shift(),)).fetchone()[0])

    def shift(self) -> str:
        """Return by how much the clock is moved, as SQLite's date functions take it."""
        return f"{self.clock_offset():+f} seconds"
