"""The writer: one thread per process that commits submitted transactions in groups."""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from envwright.events.errors import EnvwrightError, InfrastructureError
from envwright.store.transaction import Driver, Transaction

T = TypeVar("T")

BATCH_LIMIT = 128
"""Most transactions that share one COMMIT; it bounds how long an early one waits."""

_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
"""Seconds between tries of what a lost connection undid, doubling."""


class WriteEnd(Protocol):
    """What an engine does for its writer."""

    @property
    def name(self) -> str:
        """The database, as messages call it."""

    def open(self) -> Transaction:
        """Open the connection that the writer alone uses."""

    def turn(self) -> AbstractContextManager[None]:
        """Hold off other processes that cannot wait inside a transaction of their own."""

    def begin(self, raw: Driver) -> None:
        """Begin a write transaction; what it reads is what every earlier one left."""

    def explain(self, error: BaseException) -> EnvwrightError | None:
        """Return the error to raise in place of a driver's, None where it should stay as it is."""

    def is_passing(self, error: BaseException) -> bool:
        """Say whether the same may succeed on another connection: a restart, a deadlock."""

    def committed(self) -> None:
        """Take note that something was committed."""


@dataclass(slots=True)
class _Item:
    work: Callable[[Transaction], Any]
    future: "Future[Any]" = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class _Outcome:
    value: Any = None
    error: BaseException | None = None


class Writer:
    """Runs transactions one after the other and acknowledges them after their shared COMMIT.

    Each has a SAVEPOINT of its own, so that one conflict does not undo its neighbours. Where the
    connection is lost, all that share a COMMIT run again: what was committed without an answer
    is known by its idempotency keys, and no other write does harm when it is repeated.
    """

    def __init__(self, end: WriteEnd, patience: float) -> None:
        self._end = end
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
            raise InfrastructureError(f"{self._end.name} is closed; open the store again")
        if threading.current_thread() is self._thread:
            raise RuntimeError("a transaction cannot wait for another one of the same writer")
        if self._thread is None or not self._thread.is_alive():
            # A daemon: what was acknowledged is durable, and the rest ends as in a crash.
            self._thread = threading.Thread(target=self._run, name="log-writer", daemon=True)
            self._thread.start()

    def _overdue(self, begun: bool) -> str:
        state = "may still be committed" if begun else "was not begun"
        return (
            f"{self._end.name} did not answer within {self._patience:g} s, so the transaction "
            f"{state}; another process may hold it. A repeat is safe"
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
        deadline = time.monotonic() + self._patience
        pause = _PAUSE
        while True:
            try:
                with self._end.turn():
                    outcomes = self._commit(batch)
            except Exception as error:
                self._disconnect()
                if not self._end.is_passing(error) or time.monotonic() + pause > deadline:
                    return [_Outcome(error=self._failure(error)) for _ in batch]
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                self._end.committed()
                return outcomes

    def _commit(self, batch: list[_Item]) -> list[_Outcome]:
        if self._transaction is None:
            self._transaction = self._end.open()
        raw = self._transaction.raw
        self._end.begin(raw)
        try:
            if len(batch) == 1:
                outcomes = [self._alone(self._transaction, batch[0])]
            else:
                outcomes = [self._attempt(self._transaction, item) for item in batch]
            if len(batch) > 1 or outcomes[0].error is None:
                raw.execute("COMMIT")
        finally:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
        return outcomes

    def _attempt(self, transaction: Transaction, item: _Item) -> _Outcome:
        raw = transaction.raw
        raw.execute("SAVEPOINT item")
        outcome = self._alone(transaction, item)
        if outcome.error is not None:
            raw.execute("ROLLBACK TO item")
        raw.execute("RELEASE item")
        return outcome

    def _alone(self, transaction: Transaction, item: _Item) -> _Outcome:
        try:
            return _Outcome(value=item.work(transaction))
        except Exception as error:
            # A full disk, a lost connection and the like undo the whole batch, neighbours and all.
            if not transaction.raw.in_transaction or self._end.is_passing(error):
                raise
            unusable = self._end.explain(error) is not None
            return _Outcome(error=self._failure(error) if unusable else error)

    def _failure(self, error: Exception) -> EnvwrightError:
        failure = self._end.explain(error) or InfrastructureError(
            f"{self._end.name} could not be committed: {error}"
        )
        failure.__cause__ = error
        return failure

    def _disconnect(self) -> None:
        """Drop the connection for good; after a failure nobody knows what state it is in."""
        if self._transaction is not None:
            self._transaction.connection.invalidate()
            self._transaction.connection.close()
            self._transaction = None
