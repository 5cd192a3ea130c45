"""The writer: one thread per process that commits submitted transactions in groups."""

import fcntl
import os
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from envwright.events.errors import EnvwrightError, InfrastructureError
from envwright.store.failures import explain
from envwright.store.transaction import Transaction

T = TypeVar("T")

BATCH_LIMIT = 128
"""Most transactions that share one COMMIT; it bounds how long an early one waits."""


@dataclass(slots=True)
class _Item:
    work: Callable[[Transaction], Any]
    future: "Future[Any]" = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class _Outcome:
    value: Any = None
    error: BaseException | None = None


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the file lock at `path` against other processes.

    The kernel queues those who wait, so that no process starves as it does under SQLite's own
    lock, where whoever polls at the right moment wins.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class Writer:
    """Runs transactions one after the other and acknowledges them after their shared COMMIT.

    Each has a SAVEPOINT of its own, so that one conflict does not undo its neighbours.
    """

    def __init__(
        self, path: Path, lock: Path, open_transaction: Callable[[], Transaction], patience: float
    ) -> None:
        self._path = path
        self._lock_path = lock
        self._open = open_transaction
        self._patience = patience
        self._queue: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._transaction: Transaction | None = None

    def submit(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a transaction and return its result once that is durable.

        Raises:
            InfrastructureError: the database cannot be written, or did not answer in time.
        """
        item = _Item(work)
        with self._guard:
            self._start()
            self._queue.put(item)
        try:
            result: T = item.future.result(timeout=self._patience)
        except TimeoutError:
            if item.future.done():  # At the last moment, or `work` itself raised it.
                result = item.future.result()
                return result
            begun = not item.future.cancel()
            raise InfrastructureError(self._overdue(begun)) from None
        return result

    def close(self) -> None:
        """Commit what was submitted, then end the thread."""
        with self._guard:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread is not None:
                self._queue.put(None)
        if thread is not None:
            thread.join()

    def _start(self) -> None:
        if self._closed:
            raise InfrastructureError(f"{self._path} is closed; open the store again")
        if threading.current_thread() is self._thread:
            raise RuntimeError("a transaction cannot wait for another one of the same writer")
        if self._thread is None or not self._thread.is_alive():
            # A daemon: what was acknowledged is durable, and the rest ends as in a crash.
            self._thread = threading.Thread(target=self._run, name="log-writer", daemon=True)
            self._thread.start()

    def _overdue(self, begun: bool) -> str:
        state = "may still be committed" if begun else "was not begun"
        return (
            f"{self._path} did not answer within {self._patience:g} s, so the transaction {state}; "
            "another process may hold it. A repeat is safe"
        )

    def _run(self) -> None:
        try:
            while (batch := self._next_batch()) is not None:
                for item, outcome in zip(batch, self._settle(batch), strict=True):
                    if outcome.error is None:
                        item.future.set_result(outcome.value)
                    else:
                        item.future.set_exception(outcome.error)
        finally:
            self._disconnect()

    def _next_batch(self) -> list[_Item] | None:
        """Wait for a transaction and take what else has queued up meanwhile; None at the end."""
        batch: list[_Item] = []
        while len(batch) < BATCH_LIMIT:
            try:
                item = self._queue.get(block=not batch)
            except queue.Empty:
                break
            if item is None:
                if batch:
                    self._queue.put(None)
                break
            if item.future.set_running_or_notify_cancel():
                batch.append(item)
        return batch or None

    def _settle(self, batch: list[_Item]) -> list[_Outcome]:
        try:
            with exclusive(self._lock_path):
                return self._commit(batch)
        except Exception as error:
            self._disconnect()
            return [_Outcome(error=self._failure(error)) for _ in batch]

    def _commit(self, batch: list[_Item]) -> list[_Outcome]:
        if self._transaction is None:
            self._transaction = self._open()
        raw = self._transaction.raw
        raw.execute("BEGIN IMMEDIATE")
        try:
            outcomes = [self._attempt(self._transaction, item) for item in batch]
            raw.execute("COMMIT")
        finally:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
        return outcomes

    def _attempt(self, transaction: Transaction, item: _Item) -> _Outcome:
        raw = transaction.raw
        raw.execute("SAVEPOINT item")
        try:
            outcome = _Outcome(value=item.work(transaction))
        except Exception as error:
            # A full disk and the like make SQLite undo the whole batch, neighbours and all.
            if not raw.in_transaction:
                raise
            raw.execute("ROLLBACK TO item")
            unusable = explain(error, self._path) is not None
            outcome = _Outcome(error=self._failure(error) if unusable else error)
        raw.execute("RELEASE item")
        return outcome

    def _failure(self, error: Exception) -> EnvwrightError:
        failure = explain(error, self._path) or InfrastructureError(
            f"{self._path} could not be committed: {error}"
        )
        failure.__cause__ = error
        return failure

    def _disconnect(self) -> None:
        """Drop the connection for good; after a failure nobody knows what state it is in."""
        if self._transaction is not None:
            self._transaction.connection.invalidate()
            self._transaction.connection.close()
            self._transaction = None
