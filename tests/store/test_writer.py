"""The writer: groups, savepoints, acknowledgement, patience."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from envwright.events.errors import InfrastructureError
from envwright.store import Database, writer
from envwright.store.sqlite import SqliteDatabase, exclusive
from envwright.store.transaction import Transaction


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = SqliteDatabase(tmp_path / "log.sqlite", patience=20)
    opened.write(lambda tx: tx.raw.execute("CREATE TABLE kept (name TEXT UNIQUE, batch INT)"))
    yield opened
    opened.close()


def keep(name: str):
    return lambda tx: tx.raw.execute("INSERT INTO kept (name) VALUES (?)", (name,)).rowcount


def kept(database: Database) -> list[str]:
    with database.read() as tx:
        return [name for (name,) in tx.raw.execute("SELECT name FROM kept ORDER BY rowid")]


class Gate:
    """Keeps the writer busy until it is opened, so that others queue up behind it."""

    def __init__(self, database: Database) -> None:
        self.entered, self.open = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=database.write, args=(self.hold,))
        self.thread.start()
        self.entered.wait()

    def hold(self, _tx: Transaction) -> None:
        self.entered.set()
        self.open.wait()


def queue_up(database: Database, works: list, gate: Gate) -> list[object]:
    """Submit works while the writer is busy; return each one's result or error."""

    def submit(work) -> object:
        try:
            return database.write(work)
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(works)) as pool:
        futures = [pool.submit(submit, work) for work in works]
        while database._writer._queue.qsize() < len(works):
            threading.Event().wait(0.001)
        gate.open.set()
        gate.thread.join()
        return [future.result() for future in futures]


def test_a_conflict_does_not_undo_its_neighbours(database):
    def conflict(tx: Transaction) -> None:
        keep("of the conflict")(tx)
        raise KeyError("conflict")

    works = [keep("before"), conflict, keep("after"), keep("before")]
    results = queue_up(database, works, Gate(database))
    assert isinstance(results[1], KeyError)
    duplicates = [each for each in results if isinstance(each, sqlite3.IntegrityError)]
    assert len(duplicates) == 1
    assert sorted(kept(database)) == ["after", "before"]


def test_what_waits_together_shares_a_commit(database, monkeypatch):
    monkeypatch.setattr(writer, "BATCH_LIMIT", 5)
    commits: list[int] = []
    gate = Gate(database)
    inner = database._writer._commit

    def counting(batch):
        commits.append(len(batch))
        return inner(batch)

    monkeypatch.setattr(database._writer, "_commit", counting)
    results = queue_up(database, [keep(str(number)) for number in range(12)], gate)
    assert results == [1] * 12
    assert commits == [5, 5, 2]


def test_nothing_is_acknowledged_before_its_commit(database):
    seen: list[list[str]] = []

    def look(tx: Transaction) -> None:
        keep("first")(tx)
        seen.append(kept(database))

    database.write(look)
    assert seen == [[]] and kept(database) == ["first"]


def test_a_group_whose_commit_fails_fails_as_a_whole(database, monkeypatch):
    gate = Gate(database)

    def full(tx: Transaction) -> None:
        tx.raw.execute("ROLLBACK")  # As SQLite does by itself when the disk is full.
        raise sqlite3.OperationalError("database or disk is full")

    results = queue_up(database, [keep("1"), full, keep("2")], gate)
    assert all(isinstance(each, InfrastructureError) for each in results)
    assert kept(database) == []
    assert database.write(keep("later")) == 1


def test_a_transaction_that_is_not_begun_in_time_is_withdrawn(tmp_path, monkeypatch):
    monkeypatch.setattr(writer, "BATCH_LIMIT", 1)
    database = SqliteDatabase(tmp_path / "log.sqlite", patience=0.3)
    ran: list[str] = []
    said: list[str] = []

    def wait(name: str) -> None:
        with pytest.raises(InfrastructureError) as failure:
            database.write(lambda tx: ran.append(name))
        said.append("withdrawn" if "was not begun" in str(failure.value) else name)

    with exclusive(tmp_path / "log.lock"):
        threads = [threading.Thread(target=wait, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    database.close()
    assert sorted(said) == sorted([*ran, "withdrawn"]) and len(ran) == 1


def test_a_transaction_cannot_wait_for_another_one(database):
    with pytest.raises(RuntimeError, match="cannot wait"):
        database.write(lambda tx: database.write(keep("inner")))
    assert kept(database) == []


def test_a_timeout_of_the_work_itself_is_no_timeout_of_the_writer(database):
    def late(_tx: Transaction) -> None:
        raise TimeoutError("the work's own")

    with pytest.raises(TimeoutError, match="the work's own"):
        database.write(late)


def test_closing_commits_what_was_submitted(tmp_path):
    database = SqliteDatabase(tmp_path / "log.sqlite")
    gate = Gate(database)
    done: list[float] = []
    waiting = threading.Thread(target=lambda: done.append(database.write(lambda tx: tx.now())))
    waiting.start()
    while not database._writer._queue.qsize():
        threading.Event().wait(0.001)
    closing = threading.Thread(target=database.close)
    closing.start()
    gate.open.set()
    for thread in (gate.thread, waiting, closing):
        thread.join()
    assert len(done) == 1
