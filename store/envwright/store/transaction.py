"""The transaction: what code that reads or writes tables is given, with the database's clock."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Connection

from envwright.store.dialect import Dialect
from envwright.store.records import Placed


class Rows(Protocol):
    """The rows that a statement gives."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement changed."""

    def fetchone(self) -> Any:
        """Return the next row, None at the end."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Driver(Protocol):
    """A driver's connection, as the hot paths use it: SQL with `?`, rows as tuples.

    sqlite3's is one as it comes.
    """

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""

    @property
    def IntegrityError(self) -> type[Exception]:  # noqa: N802 -- the name that PEP 249 gives it
        """What a row that breaks a constraint raises."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Rows:
        """Run one statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Run one statement for each of some rows."""


Statement = tuple[str, Sequence[Any]]
"""SQL with `?`, and its parameters."""


class Engine(Protocol):
    """What an engine does in its own way on the append path."""

    def together(self, raw: Any, statements: Sequence[Statement], /) -> Sequence[Rows]:
        """Run statements of which none needs what another gives; return the rows of each."""

    def append(self, raw: Any, placed: Sequence[tuple[Placed, bytes]], shift: Any, /) -> int:
        """Take positions for events and insert them with their payloads; returns the last one."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """An open transaction on one connection."""

    connection: Connection
    """SQLAlchemy's, for everything that is not hot."""
    raw: Driver
    """The driver's beneath it, for the append and read paths."""
    dialect: Dialect
    engine: Engine
    clock_offset: Callable[[], float]
    """Seconds that the clock is moved by; tests move it."""

    def together(self, statements: Sequence[Statement]) -> Sequence[Rows]:
        """Run statements of which none needs what another gives; return the rows of each."""
        return self.engine.together(self.raw, statements)

    def append(self, placed: Sequence[tuple[Placed, bytes]]) -> int:
        """Take positions for events and insert them with their payloads; returns the last one.

        Raises:
            IntegrityError: the driver's, where an event's id is taken.
        """
        return self.engine.append(self.raw, placed, self.shift())

    def now(self) -> float:
        """Return the database's clock in seconds since 1970."""
        return float(self.raw.execute(self.dialect.now, (self.shift(),)).fetchone()[0])

    def shift(self) -> str | float:
        """Return by how much the clock is moved, as the dialect's date functions take it."""
        return self.dialect.shift(self.clock_offset())
