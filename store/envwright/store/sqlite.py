"""The SQLite engine: one file in WAL mode, its schema, its writer and its readers."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event

from envwright.events.errors import (
    BadInputError,
    EnvwrightError,
    InfrastructureError,
    UnknownSchemaError,
)
from envwright.store.database import Database
from envwright.store.dialect import SQLITE
from envwright.store.failures import explain, explained
from envwright.store.records import Placed
from envwright.store.schema import APPLICATION_ID, SCHEMA_VERSION
from envwright.store.transaction import Driver, Statement, Transaction
from envwright.store.writer import Writer

_READERS = 8


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


_INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_PAYLOAD = "INSERT INTO payloads VALUES (?, ?)"


class _SqliteAppending:
    """The append path's own ways on SQLite."""

    def together(
        self, raw: sqlite3.Connection, statements: Sequence[Statement], /
    ) -> list[sqlite3.Cursor]:
        return [raw.execute(sql, parameters) for sql, parameters in statements]

    def append(
        self, raw: sqlite3.Connection, placed: Sequence[tuple[Placed, bytes]], shift: str, /
    ) -> int:
        last, recorded_at = raw.execute(SQLITE.take, (len(placed), shift)).fetchone()
        numbered = list(enumerate(placed, start=last - len(placed) + 1))
        raw.executemany(_INSERT_EVENT, [(at, *row, recorded_at) for at, (row, _) in numbered])
        raw.executemany(_INSERT_PAYLOAD, [(at, body) for at, (_, body) in numbered])
        return int(last)


_APPENDING = _SqliteAppending()


class SqliteDatabase(Database):
    """A log's SQLite file, shared by threads and processes of one machine.

    A file lock orders the processes that write.
    """

    def __init__(self, path: Path, *, patience: float = 60.0) -> None:
        """Open the file, making it and its tables where they are missing or of an older version.

        Raises:
            InfrastructureError: the file or its folder cannot be read or written.
            BadInputError: the file is a database of something else.
            UnknownSchemaError: a newer version of Envwright made it.
        """
        self.path = path
        self._lock = path.with_suffix(".lock")
        self._patience = patience
        self._readers = self._engine(query_only=True)
        self._writers = self._engine(query_only=False)
        try:
            with explained(path):
                self._prepare()
        except BaseException:
            self._dispose()
            raise
        self._writer = Writer(_SqliteEnd(self), patience)

    @property
    def name(self) -> str:
        """The file's path."""
        return str(self.path)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Give a read transaction: one snapshot of everything that has been committed.

        Raises:
            InfrastructureError: the database cannot be read.
            IntegrityError: its file is damaged.
        """
        with explained(self.path), self._readers.connect() as connection:
            transaction = self._transaction(connection)
            transaction.raw.execute("BEGIN")
            try:
                yield transaction
            finally:
                if transaction.raw.in_transaction:
                    transaction.raw.execute("ROLLBACK")

    def open_writer(self) -> Transaction:
        """Open a connection that may write, outside any transaction."""
        return self._transaction(self._writers.connect())

    def exclusive(self) -> AbstractContextManager[None]:
        """Hold other processes off."""
        return exclusive(self._lock)

    def _dispose(self) -> None:
        self._writers.dispose()
        self._readers.dispose()

    def _engine(self, *, query_only: bool) -> Engine:
        engine = create_engine(
            URL.create("sqlite", database=str(self.path)),
            # Transactions are begun by hand: the driver's own begin too late and of the wrong kind.
            isolation_level="AUTOCOMMIT",
            connect_args={"timeout": self._patience, "check_same_thread": False},
            pool_size=_READERS,
            max_overflow=-1,
        )

        def on_connect(connection: sqlite3.Connection, _record: Any) -> None:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            # Else the savepoints of a large batch spill into a file.
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(f"PRAGMA query_only = {int(query_only)}")

        event.listen(engine, "connect", on_connect)
        return engine

    def _transaction(self, connection: Connection) -> Transaction:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        return Transaction(connection, raw, SQLITE, _APPENDING, lambda: self.clock_offset)

    def _prepare(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.exclusive(), self._writers.connect() as connection:
                self._make_current(connection)
        except OSError as error:
            raise InfrastructureError(
                f"{self.path.parent} cannot hold a log: {error}; give a folder that can be written"
            ) from error

    def _make_current(self, connection: Connection) -> None:
        def ask(query: str) -> int:
            return int(connection.exec_driver_sql(query).scalar_one())

        owner, version = ask("PRAGMA application_id"), ask("PRAGMA user_version")
        if owner == APPLICATION_ID and version == SCHEMA_VERSION:
            return
        if owner == APPLICATION_ID and version > SCHEMA_VERSION:
            raise UnknownSchemaError(
                f"{self.path} has schema version {version}; this Envwright knows up to "
                f"{SCHEMA_VERSION}: install a newer one to open it"
            )
        foreign = owner not in (0, APPLICATION_ID) or (
            not owner and (version or ask("SELECT COUNT(*) FROM sqlite_schema"))
        )
        if foreign:
            raise BadInputError(f"{self.path} is a database of something else; give another home")
        # Alembic takes a while to import, and only what is made or upgraded needs it.
        from envwright.store.migrations import migrate

        connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        migrate(connection, version if owner else None)
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.exec_driver_sql("COMMIT")


class _SqliteEnd:
    """The SQLite side of the writer."""

    def __init__(self, database: SqliteDatabase) -> None:
        self._database = database
        self.open = database.open_writer
        self.turn = database.exclusive

    @property
    def name(self) -> str:
        return self._database.name

    def begin(self, raw: Driver) -> None:
        raw.execute("BEGIN IMMEDIATE")

    def explain(self, error: BaseException) -> EnvwrightError | None:
        return explain(error, self._database.path)

    def is_passing(self, error: BaseException) -> bool:
        # SQLite has waited already, and what has no connection cannot lose it.
        return False

    def committed(self) -> None:
        """Nobody else is told: other processes poll."""
