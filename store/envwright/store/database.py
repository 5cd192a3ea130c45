"""The database: what the adapters of the store ask of an engine."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from envwright.store.transaction import Transaction
from envwright.store.writer import Writer

T = TypeVar("T")


class Database(ABC):
    """A log's database, shared by threads and processes.

    Writes go through one thread per process. Reads have connections of their own, see one
    snapshot each and never wait for a writer.
    """

    clock_offset = 0.0
    """Seconds that the clock is moved by; tests move it."""

    _writer: Writer

    @property
    @abstractmethod
    def name(self) -> str:
        """The database, as messages call it; never with a password."""

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a write transaction and return its result once that is durable.

        `work` runs on the writer's thread, alone; what it raises undoes it and is raised here.
        Where a connection is lost it runs again.

        Raises:
            InfrastructureError: the database cannot be written.
        """
        return self._writer.submit(work)

    @abstractmethod
    def read(self) -> AbstractContextManager[Transaction]:
        """Give a read transaction: one snapshot of everything that has been committed.

        Raises:
            InfrastructureError: the database cannot be read.
            IntegrityError: it is damaged.
        """

    def query(self, work: Callable[[Transaction], T]) -> T:
        """Return what `work` reads in one snapshot; it runs again where a connection is lost."""
        with self.read() as transaction:
            return work(transaction)

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` when another process may have committed; a hint, which may never come."""
        _ = wake

    def close(self) -> None:
        """Commit what was submitted and release files and connections."""
        self._writer.close()
        self._dispose()

    @abstractmethod
    def _dispose(self) -> None:
        """Release files and connections."""
