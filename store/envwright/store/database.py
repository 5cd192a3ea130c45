"""The database: one SQLite file in WAL mode, its schema, its writer and its readers."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert

from envwright.events.errors import BadInputError, InfrastructureError, UnknownSchemaError
from envwright.store.failures import explained
from envwright.store.schema import (
    APPLICATION_ID,
    METADATA,
    SCHEMA_VERSION,
    log_head,
    sqlite_triggers,
)
from envwright.store.transaction import Transaction
from envwright.store.writer import Writer, exclusive

T = TypeVar("T")

_READERS = 8


class Database:
    """A log's SQLite file, shared by threads and processes of one machine.

    Writes go through one thread per process and a file lock between processes. Reads have
    connections of their own, see one snapshot each and never wait for a writer.
    """

    def __init__(self, path: Path, *, patience: float = 60.0) -> None:
        """Open the file, making it and its tables where they are missing.

        Raises:
            InfrastructureError: the file or its folder cannot be read or written.
            BadInputError: the file is a database of something else.
            UnknownSchemaError: a newer version of Envwright made it.
        """
        self.path = path
        self.clock_offset = 0.0
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
        self._writer = Writer(path, self._lock, self._open_writer, patience)

    def write(self, work: Callable[[Transaction], T]) -> T:
        """Run `work` in a write transaction and return its result once that is durable.

        `work` runs on the writer's thread, alone; what it raises undoes it and is raised here.

        Raises:
            InfrastructureError: the database cannot be written.
        """
        return self._writer.submit(work)

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

    def close(self) -> None:
        """Commit what was submitted and release files and connections."""
        self._writer.close()
        self._dispose()

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

    def _open_writer(self) -> Transaction:
        return self._transaction(self._writers.connect())

    def _transaction(self, connection: Connection) -> Transaction:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        return Transaction(connection, raw, lambda: self.clock_offset)

    def _prepare(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with exclusive(self._lock), self._writers.connect() as connection:
                self._check_or_create(self._transaction(connection))
        except OSError as error:
            raise InfrastructureError(
                f"{self.path.parent} cannot hold a log: {error}; give a folder that can be written"
            ) from error

    def _check_or_create(self, transaction: Transaction) -> None:
        raw = transaction.raw
        owner = raw.execute("PRAGMA application_id").fetchone()[0]
        version = raw.execute("PRAGMA user_version").fetchone()[0]
        tables = raw.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()[0]
        if owner == APPLICATION_ID and version == SCHEMA_VERSION:
            return
        if owner == APPLICATION_ID:
            raise UnknownSchemaError(
                f"{self.path} has schema version {version}; this Envwright knows up to "
                f"{SCHEMA_VERSION}: install a newer one to open it"
            )
        if owner or version or tables:
            raise BadInputError(f"{self.path} is a database of something else; give another home")
        raw.execute("PRAGMA journal_mode = WAL")
        raw.execute("BEGIN IMMEDIATE")
        METADATA.create_all(transaction.connection)
        transaction.connection.execute(insert(log_head).values(id=1, position=0))
        for trigger in sqlite_triggers():
            raw.execute(trigger)
        raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        raw.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        raw.execute("COMMIT")
