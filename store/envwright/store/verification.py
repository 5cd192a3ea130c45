"""Verification: the chains, columns and artifacts of a log, in ranges that processes share."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise, starmap
from multiprocessing import get_context
from typing import Protocol

from envwright.events.errors import ArtifactError, InfrastructureError, IntegrityError
from envwright.events.ports import ArtifactStore
from envwright.store.chains import END, ChainCheck, ChainRow, PlainRow, chain_pages, earlier_hash
from envwright.store.database import Database
from envwright.store.findings import Checked
from envwright.store.references import ReferenceCheck

RANGE = 25_000
"""Events that a process takes at a time: what it must remember of streams ends with them."""

_END_OF_RANGE = f"""
    SELECT position FROM events WHERE position > ? ORDER BY position LIMIT 1 OFFSET {RANGE - 1}
"""

_WORTH_A_PROCESS = 20 * RANGE
"""Events for which a process of its own, which takes a second or two to begin, pays."""


class Opened(Protocol):
    """A store, opened once more by another process."""

    @property
    def database(self) -> Database:
        """Where the events are."""

    @property
    def artifacts(self) -> ArtifactStore:
        """Where the artifacts are."""

    def close(self) -> None:
        """Release files and connections."""


Reopen = Callable[[], Opened]
"""Opens the store once more; it is sent to other processes, so it must be picklable."""


@dataclass
class Verified:
    """What the chains and the artifacts of some events are like."""

    chains: Checked = field(default_factory=Checked)
    artifacts: Checked = field(default_factory=Checked)

    def merge(self, other: "Verified") -> None:
        """Add what was found of other events."""
        self.chains.merge(other.chains)
        self.artifacts.merge(other.artifacts)


def verify_log(
    reopen: Reopen,
    *,
    workers: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Verified:
    """Verify every event: payload, header, link, columns, artifacts; a large log by processes.

    Raises:
        InfrastructureError: the database or the artifacts cannot be read, or a process died.
    """
    found = Verified()
    with closing(_Worker(reopen)) as worker:
        ranges = worker.ranges()
        total = RANGE * len(ranges)
        wanted = workers or min(os.cpu_count() or 1, 1 + total // _WORTH_A_PROCESS)
        if wanted == 1:
            for part in starmap(worker.verify, ranges):
                found.merge(part)
                progress(found.chains.checked, total)
            return found
    try:
        with _processes(wanted, reopen) as pool:
            for part in pool.map(_verify_range, ranges):
                found.merge(part)
                progress(found.chains.checked, total)
    except BrokenProcessPool as error:
        raise InfrastructureError(f"a process that verified the log has died: {error}") from error
    return found


class _Worker:
    """What one process needs to verify ranges; its artifacts are read once each."""

    def __init__(self, reopen: Reopen) -> None:
        self._store = reopen()
        self._references = ReferenceCheck(self._store.artifacts)

    def ranges(self) -> list[tuple[int, int]]:
        """Return ranges of positions, each with so many events, however far apart they are."""
        ends = [0]
        while (end := self._end(ends[-1])) is not None:
            ends.append(end)
        return list(pairwise([*ends, END]))

    def _end(self, after: int) -> int | None:
        row = self._store.database.query(
            lambda tx: tx.raw.execute(_END_OF_RANGE, (after,)).fetchone()
        )
        return None if row is None else int(row[0])

    def verify(self, after: int, up_to: int) -> Verified:
        """Verify the events with `after < position <= up_to`."""
        pages = chain_pages(self._store.database, after=after, up_to=up_to)
        return _verify(pages, self._store.database, self._references, after)

    def close(self) -> None:
        """Release the store."""
        self._store.close()


_worker: _Worker | None = None


def _processes(count: int, reopen: Reopen) -> Executor:
    # Not forked: threads of this process may hold locks that no thread of a child would release.
    return ProcessPoolExecutor(
        count, mp_context=get_context("spawn"), initializer=_begin, initargs=(reopen,)
    )


def _begin(reopen: Reopen) -> None:
    global _worker
    _worker = _Worker(reopen)


def _verify_range(span: tuple[int, int]) -> Verified:
    assert _worker is not None
    return _worker.verify(*span)


def _verify(
    pages: Iterator[list[PlainRow]],
    database: Database,
    references: ReferenceCheck,
    after: int,
) -> Verified:
    found = Verified()
    chains = ChainCheck(earlier_hash(database))
    before = references.verified
    try:
        for page in pages:
            for row, wrong in chains.check_page(page):
                found.chains.fail(row.id, row.position, wrong.expected, wrong.actual)
            found.chains.checked += len(page)
            _check_artifacts(page, references, found.artifacts)
            after = ChainRow._make(page[-1]).position
    except IntegrityError as error:  # The file is damaged below the level of rows.
        found.chains.fail(f"position {after + 1}", after + 1, "a readable row", error)
    found.artifacts.checked = references.verified - before
    return found


def _check_artifacts(page: list[PlainRow], references: ReferenceCheck, found: Checked) -> None:
    for row in page:
        payload = row[-1]
        if not isinstance(payload, bytes):
            continue
        try:
            wrong = references.check(payload)
        except (ValueError, TypeError, KeyError, AttributeError, ArtifactError) as error:
            wrong = ("a payload whose artifacts can be read", str(error))
        if wrong is not None:
            event = ChainRow._make(row)
            found.fail(event.id, event.position, *wrong)
