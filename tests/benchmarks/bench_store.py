"""Ratios of the store on SQLite over what this disk and the raw driver give; run as a script."""

import os
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from envwright.events import NewEvent
from envwright.events.catalog import GateEvaluated
from envwright.events.ports import Append, Commit
from envwright.events.values import Actor, GateResult
from envwright.store import StateReplay, Store, open_store
from envwright.store.schema import sqlite_triggers

ACTOR = Actor(role="tester", instance="bench", code_version="0")
SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))
CLIENTS = 8
BATCH = 100
DETAIL = "x" * 850  # With its other fields a payload of about 1 KiB.


def gate(stream: str, number: int) -> NewEvent:
    package = stream.removeprefix("package/")
    result = GateResult(gate="reference", version="1", verdict="pass", detail=DETAIL)
    return NewEvent(
        fact=GateEvaluated(package=package, revision="a" * 64, result=result),
        run_id="run-bench",
        correlation_id=package,
        actor=ACTOR,
        idempotency_key=f"{stream}/{number}",
    )


def per_second(step: Callable[[int], None], seconds: float = SECONDS) -> float:
    start = time.perf_counter()
    number = 0
    while time.perf_counter() - start < seconds:
        step(number)
        number += 1
    return number / (time.perf_counter() - start)


@contextmanager
def fresh(folder: Path) -> Iterator[Store]:
    store = open_store(Path(tempfile.mkdtemp(dir=folder)))
    try:
        yield store
    finally:
        store.close()


def disk_rate(folder: Path) -> float:
    descriptor = os.open(folder / "sync", os.O_CREAT | os.O_RDWR)
    block = b"0" * 4096
    os.write(descriptor, block)

    def sync(_number: int) -> None:
        os.pwrite(descriptor, block, 0)
        os.fdatasync(descriptor)

    rate = per_second(sync)
    os.close(descriptor)
    return rate


def raw_rate(store: Store, folder: Path, batch: int) -> float:
    """Insert ready-made rows like a store's in the same tables with the driver alone."""
    raw = sqlite3.connect(folder / f"raw{batch}.sqlite", isolation_level=None)
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute("PRAGMA synchronous = FULL")
    with store.database.read() as tx:
        tables = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'trigger'"
        for (statement,) in tx.raw.execute(tables).fetchall():
            raw.execute(statement)
        row = tx.raw.execute("SELECT * FROM events LIMIT 1").fetchone()
        body = tx.raw.execute("SELECT body FROM payloads LIMIT 1").fetchone()[0]
    for trigger in sqlite_triggers():
        raw.execute(trigger)
    raw.execute("INSERT INTO log_head VALUES (1, 0)")

    def insert(number: int) -> None:
        some = range(number * batch + 1, (number + 1) * batch + 1)
        raw.execute("BEGIN IMMEDIATE")
        raw.execute("UPDATE log_head SET position = position + ?", (batch,))
        raw.executemany(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(n, f"{n:036}", row[2], n, f"{row[4]}{n}", *row[5:]) for n in some],
        )
        raw.executemany("INSERT INTO payloads VALUES (?, ?)", [(n, body) for n in some])
        raw.execute("COMMIT")

    return per_second(insert) * batch


def batches(store: Store) -> float:
    def commit(number: int) -> None:
        events = tuple(gate("package/b", number * BATCH + n) for n in range(BATCH))
        append = Append(stream="package/b", events=events, expected=number * BATCH)
        store.log.commit(Commit(appends=(append,)))

    return per_second(commit) * BATCH


def singles(store: Store, clients: int) -> float:
    counts = [0.0] * clients

    def client(index: int) -> None:
        stream = f"package/c{index}"
        counts[index] = per_second(
            lambda n: (
                store.log.commit(
                    Commit(appends=(Append(stream=stream, events=(gate(stream, n),), expected=n),))
                )
                and None
            )
        )

    threads = [threading.Thread(target=client, args=(index,)) for index in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts)


def timed(count: Callable[[], int]) -> float:
    start = time.perf_counter()
    number = count()
    return number / (time.perf_counter() - start)


def raw_rows(store: Store) -> int:
    with store.database.read() as tx:
        query = "SELECT * FROM events JOIN payloads USING (position) ORDER BY position"
        return sum(1 for _ in tx.raw.execute(query))


def report(what: str, rate: float, against: str, base: float) -> None:
    sys.stdout.write(
        f"{what:38} {rate:10,.0f} /s   {rate / base:6.2f} x {against} {base:,.0f} /s\n"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        disk = disk_rate(folder)
        with fresh(folder) as store:
            alone = singles(store, 1)
            raw_alone = raw_rate(store, folder, 1)
        report("raw driver, single inserts", raw_alone, "fdatasync", disk)
        report("single commits", alone, "fdatasync", disk)
        report("single commits", alone, "raw driver", raw_alone)
        with fresh(folder) as store:
            report(f"group commit, {CLIENTS} clients", singles(store, CLIENTS), "1 client", alone)
        with fresh(folder) as store:
            grouped = batches(store)
            raw = raw_rate(store, folder, BATCH)
            report(f"batches of {BATCH}", grouped, "raw executemany", raw)
            rows = timed(lambda: raw_rows(store))
            read = timed(lambda: sum(1 for _ in store.log.read_all()))
            report("reads as envelopes", read, "raw rows", rows)
            replay = StateReplay(store.database, store.log, store.artifacts)
            verified = timed(lambda: replay.replay().compared)
            report("chain verification", verified, "raw rows", rows)


if __name__ == "__main__":
    main()
