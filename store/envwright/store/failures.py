"""Failures: what SQLite's error codes mean to a caller, in words that name the remedy."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from envwright.events.errors import EnvwrightError, InfrastructureError, IntegrityError

# Primary result codes, sqlite.org/rescode.html. Codes that are missing here are bugs of ours.
_DAMAGED = {
    11: "is damaged; restore it from a copy",
    26: "is no SQLite database; give another home or move the file away",
}
_UNUSABLE = {
    3: "may not be accessed; check its permissions",
    5: "stays locked by another program; close what else has it open",
    6: "stays locked by another program; close what else has it open",
    7: "cannot be used: memory ran out",
    8: "is read-only; check its permissions and those of its folder",
    10: "cannot be read or written: the disk reports an error",
    13: "cannot grow: the disk is full; free some space and run again",
    14: "cannot be opened; check that its folder exists and may be written",
    15: "stays locked by another program; close what else has it open",
}


def explain(error: BaseException, path: Path) -> EnvwrightError | None:
    """Return the error to raise in place of a driver's, None where it should stay as it is."""
    if isinstance(error, PoolTimeoutError):
        return InfrastructureError(f"{path} has no free connection: {error}")
    cause = error.orig if isinstance(error, DBAPIError) else error
    if not isinstance(cause, sqlite3.Error):
        return None
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGED:
        return IntegrityError(f"{path} {_DAMAGED[code]} ({cause})")
    if code in _UNUSABLE:
        return InfrastructureError(f"{path} {_UNUSABLE[code]} ({cause})")
    return None


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn the driver's errors about `path` into ours."""
    try:
        yield
    except (sqlite3.Error, DBAPIError, PoolTimeoutError) as error:
        explanation = explain(error, path)
        if explanation is None:
            raise
        raise explanation from error
