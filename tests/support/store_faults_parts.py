"""The parts of the campaign on the store: each puts one log under load and counts."""

import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile
from pathlib import Path

from support import store_faults_cases, store_faults_server
from support.postgres_server import PostgresServer
from support.store_faults import LogCheck, Place, batches, check
from support.store_faults_cases import stopped
from support.store_faults_disk import small_disk
from support.store_faults_library import library
from support.store_faults_reader import ReaderProcess, compare
from support.store_faults_writer import SLOW, Task, WriterProcess, wait

Counts = dict[str, int]
Outcome = tuple[Counts, list[str]]
"""What was counted, and what should not be."""

WRITERS, READERS = 8, 2
CLIENTS = 3
"""Threads of a process that is killed."""

_DISK = 16
"""MiB of a disk that is filled."""

_TRIES = 3
"""Times that the library is given to lose something."""


@dataclass(frozen=True)
class Load:
    """How much of everything."""

    appends: int = 100_000
    kills: int = 200
    tail_kills: int = 60
    copies: int = 60
    crashes: int = 5
    library_seconds: float = 6.0


def tails(place: Place, load: Load, chance: random.Random) -> Outcome:
    """Let writers append while readers follow; kill a writer now and then and begin it again."""
    place.open().close()
    seed = chance.randrange(10**6)
    writers = [
        WriterProcess(_task(place, f"tails-{number}", seed, load.appends // WRITERS))
        for number in range(WRITERS)
    ]
    readers = [ReaderProcess(place, f"reader-{number}") for number in range(READERS)]
    _kill_now_and_then(writers, load.tail_kills, chance)
    truth = check(place, _acknowledged(writers))
    seen = [reader.seen(truth.position) for reader in readers]
    problems = truth.problems + [what for each in seen for what in compare(each, truth)]
    counts = {
        "appended": len(truth.found),
        "seen": min(each.events for each in seen),
        "missed": max(len(truth.found) - each.events for each in seen),
        "doubled": sum(each.doubled for each in seen),
        "kills": sum(writer.kills for writer in writers),
        "slow": sum(_slow(task) for writer in writers for task in writer.tasks),
    }
    return counts, problems


def _slow(task: Task) -> int:
    """Return how many of a task's transactions are held open."""
    return sum(
        each.slow for each in islice(batches(task.name, task.seed, slow=task.slow), task.count)
    )


def _kill_now_and_then(writers: list[WriterProcess], times: int, chance: random.Random) -> None:
    """Kill and begin again until all writers have ended, evenly over what they write."""
    stride = sum(task.count for writer in writers for task in writer.tasks) / (times + 1)
    due = stride
    while running := [writer for writer in writers if not writer.ended]:
        time.sleep(chance.uniform(0, 0.05))
        if sum(writer.done for writer in writers) >= due:
            due += stride
            victim = chance.choice(running)
            victim.kill()
            victim.again()


def _task(place: Place, name: str, seed: int, events: int) -> Task:
    """Return a task of so many events or a few more."""
    sizes = accumulate(len(batch.keys) for batch in batches(name, seed, slow=SLOW))
    return Task(place, name, seed, count=1 + sum(1 for _ in takewhile(lambda n: n < events, sizes)))


def library_tails(place: Place, load: Load, *, functions: bool, slow: float) -> Outcome:
    """Let the library's recorder do the same; with its functions it must lose events."""
    counts: Counts = {}
    with library() as peer:
        for attempt in range(1, 1 + (_TRIES if functions else 1)):
            counts = peer.ask(
                "tail",
                place.url,
                functions=functions,
                writers=WRITERS,
                seconds=attempt * load.library_seconds,
                slow=slow,
                name=f"try-{attempt}",
            )
            if counts["missed"]:
                break
    if functions and not counts["missed"]:
        return counts, ["the library lost nothing: this test cannot see a loss"]
    if not functions and (counts["missed"] or counts["doubled"]):
        return counts, ["the library's default path lost or doubled events"]
    return counts, []


LIBRARY_TAILS = {
    "library, functions": {"functions": True, "slow": SLOW},
    "library, all quick": {"functions": True, "slow": 0.0},
    "library, default": {"functions": False, "slow": SLOW},
}
"""How the library is tried; the one without slow transactions is for long runs."""


def kills(place: Place, load: Load, chance: random.Random) -> Outcome:
    """Kill one of two processes at any moment, again and again, and begin it again."""
    seed = chance.randrange(10**6)
    log = place.open()
    writers = [
        WriterProcess(*(Task(place, f"kills-{at}-{n}", seed) for n in range(CLIENTS)))
        for at in range(2)
    ]
    found = LogCheck()
    try:
        while sum(writer.kills for writer in writers) < load.kills:
            victim = chance.choice(writers)
            if chance.random() < 0.7:
                victim.await_commits(chance.randrange(1, 10))
            time.sleep(chance.uniform(0, 0.05))
            victim.kill()
            found.advance(log.read_all(after=found.position))
            victim.again()
        writers[0].await_commits(10)
    finally:
        count = sum(writer.kills for writer in writers)
        for writer in writers:
            writer.kill()
    log.close()
    acknowledged = _acknowledged(writers)
    again = check(place, acknowledged)
    counts = {"kills": count, "acknowledged": len(acknowledged), "events": len(again.found)}
    return counts, found.problems + again.problems


def copies(place: Place, load: Load, chance: random.Random) -> Outcome:
    """Copy the file and its WAL while the writer is stopped; each copy must hold what it said."""
    seed = chance.randrange(10**6)
    writer = WriterProcess(*(Task(place, f"copies-{n}", seed) for n in range(CLIENTS)))
    problems: list[str] = []
    counts: Counts = {"copies": 0, "acknowledged": 0, "events": 0, "in a WAL": 0}
    try:
        writer.await_commits(1)
        for number in range(load.copies):
            time.sleep(chance.uniform(0, 0.1))
            with standing_still(writer.pid):
                acknowledged = writer.acknowledged()
                copy, in_wal = copied(place, f"copy-{number}")
                found = check(copy, acknowledged)
            problems += found.problems
            counts["copies"] += 1
            counts["in a WAL"] += in_wal
            counts["acknowledged"] = len(acknowledged)
            counts["events"] = len(found.found)
            shutil.rmtree(copy.folder)
    finally:
        writer.kill()
    return counts, problems


@contextmanager
def standing_still(pid: int) -> Iterator[None]:
    """Stop every thread of a process for a while."""
    os.kill(pid, signal.SIGSTOP)
    try:
        wait(lambda: stopped(pid))
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def copied(place: Place, name: str, *, wal: bool = True) -> tuple[Place, bool]:
    """Copy a log; returns the copy, and whether there was a WAL to copy."""
    copy = Place("sqlite", place.folder / name)
    copy.file.parent.mkdir(parents=True)
    shutil.copyfile(place.file, copy.file)
    log = Path(f"{place.file}-wal")
    in_wal = log.exists() and log.stat().st_size > 0
    if in_wal and wal:
        shutil.copyfile(log, f"{copy.file}-wal")
    return copy, in_wal


Fault = Callable[[Place], Outcome | str]
"""A fault; it returns why where it cannot be made here."""


def faults(engine: str, server: PostgresServer | None, seed: int, load: Load) -> dict[str, Fault]:
    """Return the faults of an engine by name."""
    if server is None:
        return {
            "full disk": _full_disk,
            "file size limit": _checked(store_faults_cases.file_limit),
            "read-only file": _read_only,
            "locked database": _checked(store_faults_cases.locked_file),
            "clock stepping back": _checked(store_faults_cases.clock_stepping_back),
        }
    there = server
    cases = store_faults_server
    return {
        "full disk": lambda place: _full_server(place, there),
        "read-only database": _checked(cases.read_only_database),
        "locked table": _checked(cases.locked_table),
        "connections cut": _checked(
            lambda place: cases.connections_cut(place, cuts=4 * load.crashes, seed=seed)
        ),
        "server crashes": _checked(
            lambda place: cases.restarts(place, there, times=load.crashes, seed=seed)
        ),
        "clock stepping back": _checked(store_faults_cases.clock_stepping_back),
    }


_NO_DISK = "no file system can be mounted here"


def _checked(case: Callable[[Place], LogCheck]) -> Fault:
    return lambda place: _outcome(case(place))


def _outcome(found: LogCheck) -> Outcome:
    return {"events": len(found.found)}, found.problems


def _full_disk(place: Place) -> Outcome | str:
    with small_disk(place.file.parent, _DISK) as disk:
        return _outcome(store_faults_cases.full_disk(place, disk)) if disk else _NO_DISK


def _read_only(place: Place) -> Outcome | str:
    with small_disk(place.file.parent, _DISK) as disk:
        found = store_faults_cases.read_only_file(place, disk)
    return _outcome(found) if found else "root writes what is read-only, and " + _NO_DISK


def _full_server(place: Place, server: PostgresServer) -> Outcome | str:
    with small_disk(server.folder / "disk", 4 * _DISK) as disk:
        return _outcome(store_faults_server.full_disk(place, server, disk)) if disk else _NO_DISK


def _acknowledged(writers: list[WriterProcess]) -> dict[str, int]:
    return {key: at for writer in writers for key, at in writer.acknowledged().items()}
