"""The SQLite engine: schema, processes that share it, and processes that are killed in it."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from envwright.events.errors import (
    BadInputError,
    InfrastructureError,
    IntegrityError,
    UnknownSchemaError,
)
from envwright.store import open_store
from envwright.store.schema import SCHEMA_VERSION
from envwright.store.sqlite import SqliteDatabase, exclusive
from support.rooms import ROOT
from support.store_adapters import SqliteAdapters
from support.store_conformance_log import verify
from support.store_events import candidate, commit, gate, recorded, work_of

ENOUGH = 40
"""Acknowledgements to wait for before a process is killed."""


def committer(home: Path, name: str, stale: str) -> subprocess.Popen[str]:
    program = ROOT / "tests" / "support" / "store_committer.py"
    return subprocess.Popen(
        [sys.executable, str(program), str(home), name, stale],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "tests")},
    )


def acknowledged(process: subprocess.Popen[str], lines: int | None = None) -> dict[str, int]:
    """Read what a process has said; without `lines`, all that it said before its end."""
    assert process.stdout is not None
    said: dict[str, int] = {}
    while lines is None or len(said) < lines:
        line = process.stdout.readline()
        if not line.endswith("\n"):
            break
        assert not line.startswith("FAULT"), line
        key, position = line.split()
        said[key] = int(position)
    return said


def kill(process: subprocess.Popen[str]) -> dict[str, int]:
    process.send_signal(signal.SIGKILL)
    said = acknowledged(process)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
    return said


def taken_over(home: Path) -> str:
    """Make a home with work whose first claim, token 1, was lost to a second one."""
    store = open_store(home)
    due = work_of(recorded(store.log, candidate("cause")))
    for holder in ("first", "second"):
        store.leases.claim(due, holder=holder, ttl=1000)
        store.leases.expire("first")
    store.close()
    return due.work


def test_nothing_acknowledged_is_lost_when_processes_are_killed(tmp_path):
    home = tmp_path / "home"
    stale = taken_over(home)
    said: dict[str, int] = {}
    for attempt in range(2):
        one, two = (committer(home, f"{name}{attempt}", stale) for name in ("one", "two"))
        said |= acknowledged(one, ENOUGH) | acknowledged(two, ENOUGH)
        said |= kill(one)
        after = acknowledged(two, ENOUGH)
        assert len(after) == ENOUGH, "the survivor goes on"
        said |= after | kill(two)
        store = open_store(home)
        found = {each.idempotency_key: each.position for each in store.log.read_all()}
        assert said.items() <= found.items()
        assert sorted(found.values()) == [*range(1, store.log.head() + 1)]
        assert verify(store.log) == len(found) and store.replay().diverged is None
        store.close()


def test_a_home_is_made_once_by_many_at_the_same_time(tmp_path):
    failures: list[Exception] = []

    def opener() -> None:
        try:
            open_store(tmp_path / "home").close()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=opener) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with SqliteDatabase(tmp_path / "home" / "log.sqlite").read() as tx:
        assert tx.raw.execute("SELECT * FROM log_head").fetchall() == [(1, 0)]


def test_it_is_durable_and_never_locks_readers_out(tmp_path):
    database = SqliteDatabase(tmp_path / "log.sqlite")
    settings = ("journal_mode", "synchronous", "foreign_keys")

    def read(tx):
        return [tx.raw.execute(f"PRAGMA {name}").fetchone()[0] for name in settings]

    assert database.write(read) == ["wal", 2, 1]
    database.close()


def test_a_read_is_one_snapshot_and_cannot_write(tmp_path):
    adapters = SqliteAdapters(tmp_path)
    adapters.log.commit(commit(gate("1")))
    count = "SELECT COUNT(*) FROM events"
    with adapters.store.database.read() as tx:
        assert tx.raw.execute(count).fetchone() == (1,)
        adapters.log.commit(commit(gate("2")))
        assert tx.raw.execute(count).fetchone() == (1,)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            tx.raw.execute("DELETE FROM leases")
    adapters.close()


def test_a_newer_schema_is_refused(tmp_path):
    open_store(tmp_path).close()
    raw = sqlite3.connect(tmp_path / "log.sqlite")
    raw.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    raw.close()
    with pytest.raises(UnknownSchemaError, match=f"schema version {SCHEMA_VERSION + 1}"):
        open_store(tmp_path)


def test_a_database_of_something_else_is_refused_and_left_as_it_is(tmp_path):
    raw = sqlite3.connect(tmp_path / "log.sqlite")
    raw.execute("CREATE TABLE theirs (x)")
    raw.close()
    before = (tmp_path / "log.sqlite").read_bytes()
    with pytest.raises(BadInputError, match="something else"):
        open_store(tmp_path)
    assert (tmp_path / "log.sqlite").read_bytes() == before


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "log.sqlite").write_bytes(b"no database at all, just text" * 100)
    with pytest.raises(IntegrityError, match="no SQLite database"):
        open_store(tmp_path)


def test_a_home_that_cannot_be_made_is_an_infrastructure_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InfrastructureError, match="cannot hold a log"):
        open_store(tmp_path / "file" / "home")


def test_a_full_disk_is_an_infrastructure_error_and_loses_nothing(tmp_path):
    adapters = SqliteAdapters(tmp_path)
    log, database = adapters.log, adapters.store.database

    def limit(pages: int) -> None:
        database.write(lambda tx: tx.raw.execute(f"PRAGMA max_page_count = {pages}").fetchone())

    log.commit(commit(gate("1")))
    limit(1)
    with pytest.raises(InfrastructureError, match="disk is full"):
        log.commit(commit(gate("2", detail="x" * 50_000)))
    limit(100_000)
    assert log.commit(commit(gate("2", detail="x" * 50_000))).positions == (2,)
    assert verify(log) == 2
    adapters.close()


def test_a_lock_that_another_program_keeps_is_an_infrastructure_error(tmp_path):
    database = SqliteDatabase(tmp_path / "log.sqlite", patience=0.2)
    other = sqlite3.connect(tmp_path / "log.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(InfrastructureError, match="did not answer|stays locked"):
        database.write(lambda tx: tx.now())
    other.close()
    assert database.write(lambda tx: tx.now()) > 0
    database.close()


def test_a_closed_database_says_so(tmp_path):
    database = SqliteDatabase(tmp_path / "log.sqlite")
    database.close()
    with pytest.raises(InfrastructureError, match="is closed"):
        database.write(lambda tx: tx.now())


def test_the_file_lock_is_held_by_one_at_a_time(tmp_path):
    inside: list[int] = []
    most: list[int] = []

    def enter() -> None:
        for _ in range(20):
            with exclusive(tmp_path / "lock"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
