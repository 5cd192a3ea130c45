"""The PostgreSQL engine: a database on a server, its tables, its writer and its readers."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Connection, event

from envwright.events.errors import BadInputError, EnvwrightError, UnknownSchemaError
from envwright.store.checkpoint_rows import SCHEMA as GRAPH_TABLES
from envwright.store.database import Database
from envwright.store.dialect import POSTGRESQL
from envwright.store.postgres.address import Address
from envwright.store.postgres.appending import PostgresAppending
from envwright.store.postgres.doorbell import Doorbell
from envwright.store.postgres.driver import PostgresDriver
from envwright.store.postgres.engine import HAS_VERSION, LOCK_TABLES, open_engine
from envwright.store.postgres.failures import explain, explained, is_passing
from envwright.store.schema import APPLICATION_ID, METADATA, SCHEMA_VERSION, VERSION_TABLE
from envwright.store.transaction import Driver, Transaction
from envwright.store.writer import Writer

T = TypeVar("T")

_CONNECTIONS, _MORE = 4, 12
"""Connections that are kept, and how many more there may be at once; the writer's is one."""

_WRITER_IDLE = 20.0
"""Seconds after which the server ends a write transaction whose process has stopped."""

_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
"""Seconds between tries to read what a lost connection kept back, doubling."""

_WRITING = 2
"""The advisory lock of those who write, beside that of those who make tables."""

_APPENDING = PostgresAppending()

_DRIVER = "envwright"

# What an extension brought along is nobody's.
_TABLES = """
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname
"""


class PostgresDatabase(Database):
    """A log on a PostgreSQL server, shared by threads, processes and machines.

    An advisory lock orders the groups of transactions that processes write. It is taken before
    anything is read, so that what a commit checks still holds when it takes its positions.
    """

    def __init__(self, url: str, *, patience: float = 60.0) -> None:
        """Connect, making the tables where they are missing or of an older version.

        Raises:
            InfrastructureError: the server cannot be reached, or the tables cannot be made.
            BadInputError: the URL, user, password or database is wrong, or the database holds
                something else.
            UnknownSchemaError: a newer version of Envwright made the tables.
        """
        self.address = Address(url)
        self._patience = patience
        self._engine = open_engine(self.address, patience=patience, kept=_CONNECTIONS, more=_MORE)
        try:
            with explained(self.address), self._engine.connect() as connection:
                self._make_current(connection)
        except BaseException:
            self._engine.dispose()
            raise
        self._doorbell = Doorbell(self._lone_connection)
        self._writer = Writer(_PostgresEnd(self), patience)

    @property
    def name(self) -> str:
        """The URL without its password."""
        return str(self.address)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Give a read transaction: one snapshot of everything that has been committed.

        Raises:
            InfrastructureError: the database cannot be read.
            IntegrityError: it is damaged.
        """
        with explained(self.address), self._snapshot() as transaction:
            yield transaction

    def query(self, work: Callable[[Transaction], T]) -> T:
        """Return what `work` reads in one snapshot; it runs again where a connection is lost."""

        def attempt() -> T:
            with self._snapshot() as transaction:
                return work(transaction)

        with explained(self.address):
            return self._patiently(attempt)

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` when another process has committed; a hint, which may never come."""
        self._doorbell.listen(wake)

    def ring(self) -> None:
        """Tell other processes that something was committed."""
        self._doorbell.ring()

    def open_writer(self) -> Transaction:
        """Open a connection that may write, outside any transaction."""
        transaction = self._transaction(self._engine.connect())
        transaction.raw.execute(
            f"SET idle_in_transaction_session_timeout = {int(_WRITER_IDLE * 1000)}"
        )
        raw = transaction.raw
        assert isinstance(raw, PostgresDriver)

        def send_begun(*_: object) -> None:
            raw.send_begun()

        event.listen(transaction.connection, "before_cursor_execute", send_begun)
        return transaction

    def _dispose(self) -> None:
        self._doorbell.close()
        self._engine.dispose()

    @contextmanager
    def _snapshot(self) -> Iterator[Transaction]:
        transaction = self._patiently(self._begin_reading)
        raw, connection = transaction.raw, transaction.connection
        assert isinstance(raw, PostgresDriver)
        try:
            yield transaction
        finally:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            if raw.is_lost:
                connection.invalidate()
            connection.close()

    def _begin_reading(self) -> Transaction:
        """Begin a snapshot; a pooled connection that was lost meanwhile is found out by it."""
        connection = self._engine.connect()
        transaction = self._transaction(connection)
        try:
            transaction.raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        except psycopg.Error:
            connection.invalidate()
            connection.close()
            raise
        return transaction

    def _patiently(self, attempt: Callable[[], T]) -> T:
        deadline, pause = time.monotonic() + self._patience, _PAUSE
        while True:
            try:
                return attempt()
            except Exception as error:
                if not is_passing(error) or time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _lone_connection(self) -> "psycopg.Connection[Any]":
        """Open a connection outside the pool."""
        connection = self._engine.raw_connection()
        raw = connection.driver_connection
        connection.detach()
        assert isinstance(raw, psycopg.Connection)
        return raw

    def _transaction(self, connection: Connection) -> Transaction:
        # Kept with the driver's connection: it knows what is prepared there.
        raw = connection.info.get(_DRIVER)
        if raw is None:
            inner = connection.connection.driver_connection
            assert isinstance(inner, psycopg.Connection)
            raw = connection.info[_DRIVER] = PostgresDriver(inner)
        return Transaction(connection, raw, POSTGRESQL, _APPENDING, lambda: self.clock_offset)

    def _make_current(self, connection: Connection) -> None:
        if self._version(connection) == SCHEMA_VERSION:
            return
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise BadInputError(
                f"{self.address} keeps text as {encoding}, not as UTF8; make another: "
                f"createdb --encoding UTF8 --template template0 NAME"
            )
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql(LOCK_TABLES)
        version = self._version(connection)
        if version is None:
            self._check_empty(connection)
        if version != SCHEMA_VERSION:
            # Alembic takes a while to import, and only what is made or upgraded needs it.
            from envwright.store.migrations import migrate

            migrate(connection)
        connection.exec_driver_sql("COMMIT")

    def _version(self, connection: Connection) -> int | None:
        """Return the version of the tables, None where there are none."""
        if not connection.exec_driver_sql(HAS_VERSION).scalar_one():
            return None
        query = f"SELECT version_num FROM {VERSION_TABLE}"
        version = int(connection.exec_driver_sql(query).scalar_one())
        if version > SCHEMA_VERSION:
            raise UnknownSchemaError(
                f"{self.address} has schema version {version}; this Envwright knows up to "
                f"{SCHEMA_VERSION}: install a newer one to open it"
            )
        return version

    def _check_empty(self, connection: Connection) -> None:
        tables = set(connection.exec_driver_sql(_TABLES).scalars())
        if foreign := sorted(tables - GRAPH_TABLES.tables.keys()):
            raise BadInputError(
                f"{self.address} is a database of something else: it has {', '.join(foreign[:3])}; "
                "give one of its own: createdb NAME"
            )
        assert not tables & METADATA.tables.keys()


class _PostgresEnd:
    """The PostgreSQL side of the writer."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._address = database.address
        self.open = database.open_writer
        self.turn = nullcontext[None]
        self.committed = database.ring

    @property
    def name(self) -> str:
        return str(self._address)

    def begin(self, raw: Driver) -> None:
        assert isinstance(raw, PostgresDriver)
        raw.begin("BEGIN", f"SELECT pg_advisory_xact_lock({APPLICATION_ID}, {_WRITING})")

    def explain(self, error: BaseException) -> EnvwrightError | None:
        return explain(error, self._address)

    def is_passing(self, error: BaseException) -> bool:
        return is_passing(error)
