"""Faults that a log on either engine meets: each ends in a clear error or in a retry.

Every case commits through the fault with the same idempotency keys, and returns the check of the
whole log; what was refused is committed once the fault is over.
"""

import json
import os
import resource
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from envwright.events.errors import InfrastructureError
from envwright.store import StoreLog
from support.store_faults import Batch, LogCheck, Place, batches, check, processes
from support.store_faults_disk import Disk, read_only
from support.store_faults_writer import wait

SHORT = 1.0
"""Seconds of patience where a fault outlasts it."""

_MANY = 100_000


class Committer:
    """Commits from this process, and makes again what was refused."""

    def __init__(self, log: StoreLog, name: str = "case", seed: int = 0) -> None:
        self.acknowledged: dict[str, int] = {}
        self._log = log
        self._batches = batches(name, seed, slow=0.0)
        self._open: Batch | None = None

    def go(self, commits: int) -> None:
        """Make so many commits."""
        for _ in range(commits):
            self._open = self._open or next(self._batches)
            positions = self._log.commit(self._open.commit).positions
            self.acknowledged |= zip(self._open.keys, positions, strict=True)
            self._open = None

    def turn_to(self, log: StoreLog) -> None:
        """Commit to a log that was opened again."""
        self._log = log


@contextmanager
def opened(place: Place, patience: float = 60.0) -> Iterator[StoreLog]:
    """Open a log for a while."""
    log = place.open(patience)
    try:
        yield log
    finally:
        log.close()


def refusal(act: Callable[[], object], *words: str) -> list[str]:
    """Expect an infrastructure error that says what is wrong; return what is not so."""
    try:
        act()
    except InfrastructureError as error:
        said = str(error)
        return [] if any(word in said for word in words) else [f"unclear: {said}"]
    return ["nothing was refused"]


def full_disk(place: Place, disk: Disk) -> LogCheck:
    """Fill the disk under the log, and give some room back."""
    with opened(place) as log:
        committer = Committer(log)
        committer.go(20)
        disk.fill(free=1 << 20)
        problems = refusal(lambda: committer.go(_MANY), "disk is full")
        if log.head() != sum(1 for _ in log.read_all()):
            problems.append("the log cannot be read while the disk is full")
        disk.relieve()
        committer.go(20)
    return _checked(place, committer, problems)


def file_limit(place: Place) -> LogCheck:
    """Let a process write files of no more than 2 MiB, then of any size."""
    report = place.folder / "limited.json"
    process = processes().Process(target=_limited, args=(place, report))
    process.start()
    process.join(120)
    assert process.exitcode == 0, "the limited process has failed"
    said = json.loads(report.read_text())
    found = check(place, said["acknowledged"])
    found.problems += said["problems"]
    return found


def _limited(place: Place, report: Path) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(place) as log:
        committer = Committer(log)
        committer.go(5)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, hard))
        problems = refusal(lambda: committer.go(_MANY), "disk is full", "disk reports an error")
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        committer.go(20)
    report.write_text(json.dumps({"problems": problems, "acknowledged": committer.acknowledged}))


def read_only_file(place: Place, disk: Disk | None) -> LogCheck | None:
    """Take away the right to write and give it back; None where nothing takes it away."""
    with opened(place) as log:
        committer = Committer(log)
        committer.go(10)

    def reopen_and_commit() -> None:
        with opened(place) as log:
            committer.turn_to(log)
            committer.go(1)

    with read_only(place.file.parent, disk) as taken:
        if not taken:
            return None
        problems = refusal(reopen_and_commit, "read-only", "can be written", "may be written")
    with opened(place) as log:
        committer.turn_to(log)
        committer.go(10)
    return _checked(place, committer, problems)


def locked_file(place: Place) -> LogCheck:
    """Hold SQLite's lock in another process, for longer and for less than the patience."""
    with opened(place, SHORT) as impatient, opened(place) as patient:
        committer = Committer(impatient)
        committer.go(5)
        with _lock_held(place):
            problems = refusal(lambda: committer.go(1), "did not answer", "stays locked")
        committer.go(5)
        committer.turn_to(patient)
        with _lock_held(place) as release:
            threading.Timer(2 * SHORT, release).start()
            started = time.monotonic()
            committer.go(1)
            if time.monotonic() - started < SHORT:
                problems.append("nothing was locked")
        committer.go(5)
    return _checked(place, committer, problems)


@contextmanager
def _lock_held(place: Place) -> Iterator[Callable[[], None]]:
    """Hold the lock as long as the block, or until the yielded function is called."""
    held, release = (place.folder / name for name in ("held", "release"))
    process = processes().Process(target=_hold, args=(place.file, held, release), daemon=True)
    process.start()
    wait(held.exists)
    try:
        yield release.touch
    finally:
        release.touch()
        process.join(60)
        held.unlink()
        release.unlink()


def _hold(file: Path, held: Path, release: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None, timeout=60)
    other.execute("BEGIN IMMEDIATE")
    held.touch()
    wait(release.exists)
    other.close()


def clock_stepping_back(place: Place) -> LogCheck:
    """Let the clocks of two writers step back, each by its own measure."""
    with opened(place) as one, opened(place) as two:
        committers = [Committer(log, f"clock-{at}") for at, log in enumerate((one, two))]
        for step in range(10):
            one._database.clock_offset = -600.0 * step
            two._database.clock_offset = -7.0 * step
            for committer in committers:
                committer.go(3)
        times = [event.recorded_at for event in one.read_all()]
        last = {event.idempotency_key: event for event in two.read_all(after=one.head() - 1)}
    problems = [] if times != sorted(times) else ["no clock has stepped back"]
    problems += [] if len(last) == 1 else ["a reader does not go on by position"]
    acknowledged = {key: at for each in committers for key, at in each.acknowledged.items()}
    found = check(place, acknowledged)
    found.problems += problems
    return found


def _checked(place: Place, committer: Committer, problems: list[str]) -> LogCheck:
    found = check(place, committer.acknowledged)
    found.problems += problems
    return found


def stopped(pid: int) -> bool:
    """Say whether every thread of a process stands still after SIGSTOP."""
    states = []
    for thread in os.listdir(f"/proc/{pid}/task"):
        line = Path(f"/proc/{pid}/task/{thread}/stat").read_text("ascii")
        states.append(line.rpartition(")")[2].split()[0])
    return set(states) == {"T"}
