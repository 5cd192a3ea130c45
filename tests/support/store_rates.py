"""What the store, raw drivers and this disk do in a second, each measure to be called in rounds.

A measure returns events a second over its timed part. Events are made beforehand: a commit's time
is encoding, hashing, chaining, inserting and making durable. Payloads are of about 1 KiB.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

from envwright.events import NewEvent
from envwright.events.catalog import GateEvaluated
from envwright.events.ports import Append, Commit
from envwright.events.values import Actor, GateResult
from envwright.store import Store, open_store
from envwright.store.verification import verify_log

ACTOR = Actor(role="tester", instance="bench", code_version="0")
DETAIL = "x" * 850  # With its other fields a payload of about 1 KiB.
BLOCK = b"0" * 4096
BATCH = 100
CLIENTS = 8


def gate(stream: str, number: int) -> NewEvent:
    """Return an event with a payload of about 1 KiB."""
    package = stream.removeprefix("package/")
    result = GateResult(gate="reference", version="1", verdict="pass", detail=DETAIL)
    return NewEvent(
        fact=GateEvaluated(package=package, revision="a" * 64, result=result),
        run_id="run-bench",
        correlation_id=package,
        actor=ACTOR,
        idempotency_key=f"{stream}/{number}",
    )


def timed(act: Callable[[], int]) -> float:
    """Return how many a second an act does, by the number that it returns."""
    started = time.perf_counter()
    done = act()
    return done / (time.perf_counter() - started)


class Disk:
    """This disk's rate of `fdatasync`, one block of 4 KiB at a time."""

    def __init__(self, folder: Path, seconds: float) -> None:
        self._seconds = seconds
        self._file = os.open(folder / "blocks", os.O_CREAT | os.O_RDWR)
        self._end = os.pwrite(self._file, BLOCK, 0)

    def overwrite(self) -> float:
        """Write the same block again and again."""
        return self._rate(lambda: os.pwrite(self._file, BLOCK, 0))

    def append(self) -> float:
        """Let the file grow."""
        return self._rate(self._grow)

    def _grow(self) -> int:
        self._end += os.pwrite(self._file, BLOCK, self._end)
        return self._end

    def _rate(self, write: Callable[[], int]) -> float:
        def act() -> int:
            until = time.perf_counter() + self._seconds
            for number in count(1):
                write()
                os.fdatasync(self._file)
                if time.perf_counter() > until:
                    return number
            raise AssertionError

        return timed(act)


class StoreRates:
    """The store on one engine."""

    def __init__(self, place: Path | str, artifacts: Path) -> None:
        self._reopen = partial(open_store, place, artifacts=artifacts)
        self.store: Store = self._reopen()
        self._streams = count()

    def singles(self, number: int, clients: int = 1) -> float:
        """Commit events one by one, from some threads at once."""
        prepared = [list(islice(self._commits(1), number)) for _ in range(clients)]
        threads = [threading.Thread(target=self._commit, args=(each,)) for each in prepared]

        def act() -> int:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return number * clients

        return timed(act if clients > 1 else lambda: self._commit(prepared[0]))

    def batches(self, number: int) -> float:
        """Commit events by the hundred."""
        prepared = list(islice(self._commits(BATCH), number))
        return timed(lambda: self._commit(prepared))

    def batches_made(self, number: int) -> float:
        """Make the events too, which takes validating their fields."""
        return timed(lambda: self._commit(islice(self._commits(BATCH), number)))

    def reads(self) -> float:
        """Read the whole log as envelopes."""
        return timed(lambda: sum(1 for _ in self.store.log.read_all()))

    def raw_rows(self) -> float:
        """Read the same rows with the driver alone."""

        def act() -> int:
            with self.store.database.read() as transaction:
                query = "SELECT * FROM events JOIN payloads USING (position) ORDER BY position"
                return sum(1 for _ in transaction.raw.execute(query))

        return timed(act)

    def verified(self) -> float:
        """Verify the whole log in this process."""
        return timed(lambda: verify_log(self._reopen, workers=1).chains.checked)

    def _commits(self, size: int) -> Iterator[Commit]:
        stream = f"package/s{next(self._streams)}"
        for start in count(0, size):
            events = tuple(gate(stream, start + index) for index in range(size))
            yield Commit(appends=(Append(stream=stream, events=events, expected=start),))

    def _commit(self, commits: Iterator[Commit] | list[Commit]) -> int:
        return sum(len(self.store.log.commit(commit).positions) for commit in commits)


class RawSqlite:
    """sqlite3 alone, durable, with ready-made rows: in the store's tables, or in a plain one."""

    def __init__(self, file: Path, store: Store) -> None:
        """Make the tables of a store, with its indexes and triggers, and take its first event."""
        self._raw = sqlite3.connect(file, isolation_level=None)
        self._raw.execute("PRAGMA journal_mode = WAL")
        self._raw.execute("PRAGMA synchronous = FULL")
        with store.database.read() as transaction:
            # Tables before the triggers on them.
            made = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'trigger'"
            for (statement,) in transaction.raw.execute(made).fetchall():
                self._raw.execute(statement)
            self._row = transaction.raw.execute("SELECT * FROM events LIMIT 1").fetchone()
            (self._body,) = transaction.raw.execute("SELECT body FROM payloads LIMIT 1").fetchone()
        self._raw.execute("INSERT INTO log_head VALUES (1, 0)")
        self._raw.execute("CREATE TABLE plain (position INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        self._next = self._next_plain = 1

    def inserts(self, number: int, batch: int) -> float:
        """Insert into the store's tables."""

        def act() -> int:
            for _ in range(number):
                self._insert(range(self._next, self._next + batch))
                self._next += batch
            return number * batch

        return timed(act)

    def plain_inserts(self, number: int, batch: int) -> float:
        """Insert header and body as one value into a table without indexes."""
        both = bytes(self._row[8]) + self._body

        def act() -> int:
            for _ in range(number):
                some = range(self._next_plain, self._next_plain + batch)
                self._raw.execute("BEGIN IMMEDIATE")
                rows = [(at, both) for at in some]
                self._raw.executemany("INSERT INTO plain VALUES (?, ?)", rows)
                self._raw.execute("COMMIT")
                self._next_plain += batch
            return number * batch

        return timed(act)

    def _insert(self, some: range) -> None:
        row, raw = self._row, self._raw
        rows: list[Any] = [(n, f"{n:036}", row[2], n, f"{row[4]}{n}", *row[5:]) for n in some]
        places = ", ".join("?" * len(row))
        raw.execute("BEGIN IMMEDIATE")
        raw.execute("UPDATE log_head SET position = position + ?", (len(some),))
        raw.executemany(f"INSERT INTO events VALUES ({places})", rows)
        raw.executemany("INSERT INTO payloads VALUES (?, ?)", [(n, self._body) for n in some])
        raw.execute("COMMIT")
