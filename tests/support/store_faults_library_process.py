"""What the `eventsourcing` library's recorders do, asked for line by line; run in its environment.

It is a script without imports of ours. Each line on stdin is a request as JSON, each line on stdout
its answer.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from multiprocessing import get_context
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, uuid5

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

STATE = b'{"detail":"' + b"x" * 1011 + b'"}'  # 1 KiB.
PAGE = 512
HELD = 0.03
"""Seconds that a slow transaction is held open after it has inserted."""

SILENCE = 20.0
"""Seconds that a subscriber is given to see the last event after the writers have ended."""


def postgres(url: str, *, functions: bool, pool: int) -> PostgresApplicationRecorder:
    """Return a recorder on a server's database."""
    at = urlsplit(url)
    datastore = PostgresDatastore(
        at.path.lstrip("/"),
        at.hostname or "",
        at.port or 5432,
        at.username or "",
        at.password or "",
        pool_size=pool,
        enable_db_functions=functions,
    )
    return PostgresApplicationRecorder(datastore)


def events(name: str) -> Iterator[StoredEvent]:
    """Yield the events of an aggregate."""
    aggregate, version = uuid5(NAMESPACE_URL, name), 0
    while True:
        yield StoredEvent(aggregate, version, "library:Event", STATE)
        version += 1


def append_for(url: str, functions: bool, seconds: float, slow: float, name: str) -> None:
    """Insert events one after the other for a while, some in a transaction that is held open."""
    recorder = postgres(url, functions=functions, pool=1)
    chance, end = random.Random(name), time.monotonic() + seconds
    for event in events(name):
        if chance.random() < slow:
            insert_slowly(recorder, event)
        else:
            recorder.insert_events([event])
        if time.monotonic() > end:
            break
    recorder.datastore.close()


def insert_slowly(recorder: PostgresApplicationRecorder, event: StoredEvent) -> None:
    """Do what `insert_events` does, and commit a while later."""
    with recorder.datastore.get_connection() as connection, connection.transaction():
        with connection.cursor() as cursor:
            if recorder.datastore.enable_db_functions:
                row = recorder.construct_pg_stored_event(
                    event.originator_id, event.originator_version, event.topic, event.state
                )
                cursor.execute(recorder.sql_invoke_pg_function_insert_events, ([row],))
            else:
                recorder._insert_stored_events(cursor, [event])
        time.sleep(HELD)


def tail(
    url: str, functions: bool, writers: int, seconds: float, slow: float, name: str
) -> dict[str, int]:
    """Let writers insert while a subscription reads; return what each has counted."""
    # One makes the tables: several at once fail with "tuple concurrently updated".
    recorder = postgres(url, functions=functions, pool=3)
    recorder.create_table()
    seen: list[int] = []
    before = recorder.max_notification_id() or 0
    subscription = recorder.subscribe(gt=before)

    def read() -> None:
        for notification in subscription:
            seen.append(notification.id)

    reader = Thread(target=read)
    with subscription:
        reader.start()
        spawn = get_context("spawn")
        arguments = (url, functions, seconds, slow)
        processes = [
            spawn.Process(target=append_for, args=(*arguments, f"{name}-{number}"))
            for number in range(writers)
        ]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        last = recorder.max_notification_id() or 0
        deadline = time.monotonic() + SILENCE
        while (not seen or seen[-1] < last) and time.monotonic() < deadline:
            time.sleep(0.05)
        subscription.stop()
        reader.join()
    appended = sum(len(page) for page in pages(recorder, before))
    recorder.datastore.close()
    assert all(process.exitcode == 0 for process in processes)
    distinct = len(set(seen))
    return {
        "appended": appended,
        "seen": distinct,
        "missed": appended - distinct,
        "doubled": len(seen) - distinct,
    }


def pages(recorder: Any, last: int = 0) -> Iterator[Any]:
    """Yield all notifications after one in pages."""
    while page := recorder.select_notifications(last, PAGE, inclusive_of_start=False):
        yield page
        last = page[-1].id


class Bench:
    """A recorder that is timed."""

    def __init__(self, place: str) -> None:
        if "://" in place:
            self._recorder: Any = postgres(place, functions=False, pool=1)
        else:
            self._recorder = SQLiteApplicationRecorder(SQLiteDatastore(place))
            # The pool sets WAL and leaves synchronous at FULL.
            with self._recorder.datastore.transaction(commit=False) as cursor:
                cursor.execute("PRAGMA synchronous")
                assert cursor.fetchone()[0] == 2
        self._recorder.create_table()
        self._events = events("bench")

    def append(self, batch: int, seconds: float) -> float:
        """Return events a second, inserted in batches of such a size."""
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            self._recorder.insert_events([next(self._events) for _ in range(batch)])
            count += batch
        return count / (time.perf_counter() - start)

    def fill(self, count: int) -> int:
        """Insert so many events, by the hundred: its pipeline hangs on some thousands."""
        for _ in range(count // 100):
            self._recorder.insert_events(list(islice(self._events, 100)))
        return count

    def read(self) -> float:
        """Return events a second, all read from the first."""
        start = time.perf_counter()
        count = sum(len(page) for page in pages(self._recorder))
        return count / (time.perf_counter() - start)


def main() -> None:
    """Answer requests until the end of stdin."""
    bench: dict[str, Bench] = {}
    for line in sys.stdin:
        request = json.loads(line)
        do, place = request.pop("do"), request.pop("place")
        if do == "tail":
            answer: Any = tail(place, **request)
        else:
            if place not in bench:
                bench[place] = Bench(place)
            answer = getattr(bench[place], do)(**request)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
