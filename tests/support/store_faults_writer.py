"""Writers that note what was acknowledged, to be killed and begun again with the same keys."""

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from envwright.events.ports import Committed
from envwright.store import StoreLog
from envwright.store.transaction import Transaction
from support.store_faults import Batch, Place, batches, processes

HELD = 0.03
"""Seconds that a slow transaction is held open after it has taken its positions."""

SLOW = 0.02
"""Share of the transactions that are slow."""

PATIENCE = 120.0
"""Seconds that a writer may take to begin or to end."""


@dataclass(frozen=True)
class Task:
    """What one writer writes."""

    place: Place
    name: str
    seed: int = 0
    count: int = 10**9
    """Commits."""
    slow: float = SLOW
    patience: float = 60.0

    @property
    def notes(self) -> Path:
        """Where it notes what was acknowledged, one commit a line."""
        return self.place.folder / f"{self.name}.acknowledged"

    def acknowledged(self) -> dict[str, int]:
        """Return the positions that were acknowledged, by idempotency key."""
        said = self._said()
        commits = islice(batches(self.name, self.seed, slow=self.slow), len(said))
        return {
            key: first + index
            for batch, first in zip(commits, said, strict=True)
            for index, key in enumerate(batch.keys)
        }

    def done(self) -> int:
        """Return how many commits were acknowledged."""
        return len(self._said())

    def _said(self) -> list[int]:
        text = self.notes.read_text("ascii") if self.notes.exists() else ""
        # One write is one line, so that a kill cuts none in two.
        assert text == "" or text.endswith("\n"), text[-80:]
        said = [line.split() for line in text.splitlines()]
        assert [int(number) for number, _ in said] == [*range(len(said))], "acknowledged in order"
        return [int(first) for _, first in said]


def write(tasks: tuple[Task, ...]) -> None:
    """Make the commits of some writers that share a connection, each in a thread of its own."""
    log = tasks[0].place.open(tasks[0].patience)
    with ThreadPoolExecutor(len(tasks)) as pool:
        for done in [pool.submit(_write, log, task) for task in tasks]:
            done.result()
    log.close()


def _write(log: StoreLog, task: Task) -> None:
    """Make the commits that are not acknowledged yet, and note each one that is."""
    notes = os.open(task.notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    start = task.done()
    commits = batches(task.name, task.seed, slow=task.slow, start=start)
    for batch in islice(commits, task.count - start):
        positions = committed(log, batch).positions
        assert positions == tuple(range(positions[0], positions[0] + len(positions)))
        os.write(notes, f"{batch.number} {positions[0]}\n".encode())
    os.close(notes)


def committed(log: StoreLog, batch: Batch) -> Committed:
    """Make one commit; a slow one is held open, and then repeated for its answer."""
    if batch.slow:
        events = [new for each in batch.commit.appends for new in each.events]

        def hold(transaction: Transaction) -> None:
            log.append_within(transaction, *events)
            time.sleep(HELD)

        log._database.write(hold)
    return log.commit(batch.commit)


class WriterProcess:
    """Some writers that share a process."""

    def __init__(self, *tasks: Task) -> None:
        self.tasks = tasks
        self.kills = 0
        self._process = self._begun()

    def _begun(self) -> ForkServerProcess:
        process = processes().Process(target=write, args=(self.tasks,), daemon=True)
        process.start()
        return process

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def done(self) -> int:
        """How many commits were acknowledged."""
        return sum(task.done() for task in self.tasks)

    @property
    def ended(self) -> bool:
        """Whether all commits were made; raises where the process has failed."""
        if self._process.is_alive():
            return False
        assert self._process.exitcode == 0, f"a writer has failed: {self._process.exitcode}"
        return True

    def acknowledged(self) -> dict[str, int]:
        """Return the positions that were acknowledged, by idempotency key."""
        return {key: at for task in self.tasks for key, at in task.acknowledged().items()}

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join(PATIENCE)
        self.kills += self._process.exitcode == -signal.SIGKILL

    def again(self) -> None:
        """Begin it again after it was killed."""
        self._process = self._begun()

    def await_commits(self, more: int) -> None:
        """Wait until so many more commits are acknowledged, or for the end."""
        wanted = self.done + more
        wait(lambda: self.ended or self.done >= wanted)


def wait(until: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Wait until something holds.

    Raises:
        TimeoutError: it did not within the patience.
    """
    deadline = time.monotonic() + patience
    while not until():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {patience:g} s in vain")
        time.sleep(0.002)
