"""Logs that are put under faults: where they are, who writes them, and whether they are sound."""

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

from envwright.events import GENESIS, Envelope, NewEvent, verify_hashes
from envwright.events.errors import IntegrityError
from envwright.events.ports import Append, Commit
from envwright.store import Database, FolderArtifacts, StoreLog
from envwright.store.sqlite import SqliteDatabase
from support.store_events import append, gate

SIZES = (1, 1, 1, 2, 3, 10, 50, 100)
"""Events of a commit, drawn at random."""

SHARED = "shared"
"""The package on whose stream all writers meet."""

_LISTED = 5
"""Problems of one kind that are told; the others are counted."""


@dataclass(frozen=True)
class Place:
    """Where a log is; it is sent to other processes."""

    engine: str
    """sqlite or postgres."""
    folder: Path
    """For acknowledgements, artifacts, and the log itself where it is a file."""
    url: str = ""
    """Of the server's database."""

    @property
    def file(self) -> Path:
        """The log of an embedded home."""
        return self.folder / "home" / "log.sqlite"

    def database(self, patience: float = 60.0) -> Database:
        """Open the log's database, which gives up after so many seconds."""
        if self.engine == "sqlite":
            return SqliteDatabase(self.file, patience=patience)
        from envwright.store.postgres.database import PostgresDatabase

        return PostgresDatabase(self.url, patience=patience)

    def open(self, patience: float = 60.0) -> StoreLog:
        """Open the log."""
        return StoreLog(self.database(patience), FolderArtifacts(self.folder / "artifacts"))


def processes() -> ForkServerContext:
    """Return what starts processes that have the store loaded already."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["envwright.store", "envwright.store.postgres.database"])
    return context


@dataclass(frozen=True)
class Batch:
    """A commit that a writer makes, the same whenever it is made."""

    number: int
    commit: Commit
    keys: tuple[str, ...]
    slow: bool
    """Whether the transaction is held open for a while."""


def batches(name: str, seed: int, *, slow: float, start: int = 0) -> Iterator[Batch]:
    """Yield a writer's commits without end, from the one with number `start`."""
    chance = random.Random(f"{seed}/{name}")
    version = number = 0
    while True:
        size, meets, holds = chance.choice(SIZES), chance.random() < 0.2, chance.random() < slow
        if number >= start:
            yield _batch(name, number, size, version, meets, holds)
        version += size
        number += 1


def _batch(name: str, number: int, size: int, version: int, meets: bool, holds: bool) -> Batch:
    def event(index: int, package: str) -> NewEvent:
        return gate(f"{name}-{number}-{index}", package, detail="x" * 200)

    own = append(*(event(index, name) for index in range(size)), expected=version)
    shared: tuple[Append, ...] = (append(event(size, SHARED)),) if meets else ()
    commit = Commit(appends=(own, *shared))
    keys = tuple(new.idempotency_key for each in commit.appends for new in each.events)
    return Batch(number, commit, keys, holds)


@dataclass
class LogCheck:
    """Reads a log on from where it left off and notes what should not be."""

    position: int = 0
    found: dict[str, int] = field(default_factory=dict)
    """Positions by idempotency key."""
    problems: list[str] = field(default_factory=list)
    _heads: dict[str, str] = field(default_factory=dict)
    _order: Any = field(default_factory=hashlib.sha256)

    def advance(self, events: Iterator[Envelope]) -> None:
        """Check the events after those that were checked before."""
        for event in events:
            if event.position != self.position + 1:
                self.problems.append(f"position {event.position} follows {self.position}")
            if event.idempotency_key in self.found:
                self.problems.append(f"{event.idempotency_key} is there twice")
            try:
                verify_hashes(event, self._heads.get(event.stream, GENESIS))
            except IntegrityError as error:
                self.problems.append(str(error))
            self._heads[event.stream] = event.hash
            self.found[event.idempotency_key] = event.position
            self.position = event.position
            self._order.update(order_line(event))

    @property
    def order(self) -> str:
        """Digest of the positions and ids of all events in order."""
        return str(self._order.hexdigest())

    def expect(self, acknowledged: Mapping[str, int]) -> None:
        """Note what was acknowledged and is not there, or is somewhere else."""
        lost = [key for key in acknowledged if key not in self.found]
        moved = [key for key, at in acknowledged.items() if self.found.get(key, at) != at]
        self.problems += told("acknowledged and lost", lost)
        self.problems += told("not where it was acknowledged", moved)


def order_line(event: Envelope) -> bytes:
    """Return what two readers must have seen alike of an event."""
    return f"{event.position} {event.id}\n".encode()


def told(what: str, keys: list[str]) -> list[str]:
    """Return a problem that names some keys, or none."""
    return [f"{len(keys)} {what}: {keys[:_LISTED]}"] if keys else []


def check(place: Place, acknowledged: Mapping[str, int] | None = None) -> LogCheck:
    """Read a whole log from its beginning."""
    log, found = place.open(), LogCheck()
    try:
        found.advance(log.read_all())
        head = log.head()
        if head != found.position:
            found.problems.append(f"the head row says {head}, the last event {found.position}")
        found.expect(acknowledged or {})
    finally:
        log.close()
    return found
