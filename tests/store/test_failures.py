"""Failures: a driver's errors in words that name the file and the remedy."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from envwright.events.errors import InfrastructureError, IntegrityError
from envwright.store.failures import explain, explained

PATH = Path("home/log.sqlite")


def failure(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("the driver's words")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (sqlite3.SQLITE_FULL, InfrastructureError, "disk is full"),
        (sqlite3.SQLITE_READONLY, InfrastructureError, "is read-only"),
        (sqlite3.SQLITE_BUSY, InfrastructureError, "stays locked"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, InfrastructureError, "stays locked"),
        (sqlite3.SQLITE_IOERR_FSYNC, InfrastructureError, "disk reports an error"),
        (sqlite3.SQLITE_CANTOPEN, InfrastructureError, "cannot be opened"),
        (sqlite3.SQLITE_CORRUPT, IntegrityError, "is damaged"),
        (sqlite3.SQLITE_NOTADB, IntegrityError, "no SQLite database"),
    ],
)
def test_a_known_code_is_explained(code, kind, words):
    with pytest.raises(kind, match=f"log.sqlite .*{words}.*the driver's words"), explained(PATH):
        raise failure(code)


def test_what_sqlalchemy_wraps_is_explained_too():
    wrapped = OperationalError("SELECT", {}, failure(sqlite3.SQLITE_FULL))
    assert isinstance(explain(wrapped, PATH), InfrastructureError)


@pytest.mark.parametrize("error", [failure(sqlite3.SQLITE_ERROR), KeyError("x")])
def test_a_bug_stays_what_it_is(error):
    assert explain(error, PATH) is None
    with pytest.raises(type(error)), explained(PATH):
        raise error
