"""Proof that nothing was written: everything that a home holds, as a value to compare."""

import hashlib
import sqlite3
from pathlib import Path
from typing import Any

_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"


def holdings(home: Path) -> dict[str, Any]:
    """Return every row of a home's log and the digest of every file beside it."""
    database = sqlite3.connect(f"file:{home / 'log.sqlite'}?mode=ro", uri=True)
    try:
        found: dict[str, Any] = {
            name: database.execute(f"SELECT * FROM {name}").fetchall()
            for (name,) in database.execute(_TABLES)
        }
    finally:
        database.close()
    for path in sorted(home.rglob("*")):
        if path.is_file() and not path.name.startswith("log."):
            found[str(path.relative_to(home))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
