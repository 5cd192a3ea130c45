"""Tables on a server that may be lost at any moment: they are made again where they are gone."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, Engine, MetaData
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import DropTable

from envwright.store.postgres.address import Address
from envwright.store.postgres.engine import LOCK_TABLES, open_engine
from envwright.store.postgres.failures import explained, is_passing

T = TypeVar("T")

_log = logging.getLogger(__name__)

_MISSING = {"42P01", "42703"}
"""SQLSTATE codes of a missing table or column."""

_REMAKES = 5
"""How often one transaction makes its tables again: they may be lost one by one."""

_PAUSE, _LONGEST_PAUSE = 0.05, 1.0


class DisposableTables:
    """Runs transactions on tables of a database that hold nothing anybody depends on."""

    dialect = "postgresql"

    def __init__(self, url: str, schema: MetaData, *, version: int, patience: float = 30.0) -> None:
        """Take the URL of a database; tables of another schema version are made anew.

        `patience` is how many seconds to wait for the server before it counts as a failure.
        """
        self._address = Address(url)
        self._schema = schema
        self._mark = f"envwright {version}"
        self._patience = patience
        self._guard = threading.Lock()
        self._engine: Engine | None = None
        self._made = False

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on one snapshot of the tables.

        Raises:
            InfrastructureError: the server cannot be reached or the tables cannot be made.
        """
        return self._run(work, "BEGIN ISOLATION LEVEL REPEATABLE READ")

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one write transaction; it may run again, so keep it pure.

        Raises:
            InfrastructureError: the server cannot be reached or the tables cannot be made.
        """
        return self._run(work, "BEGIN")

    def close(self) -> None:
        """Close the connections; the next transaction opens them again."""
        with self._guard:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.dispose()

    def _run(self, work: Callable[[Connection], T], begin: str) -> T:
        deadline, pause, made = time.monotonic() + self._patience, _PAUSE, 0
        with explained(self._address):
            while True:
                try:
                    return self._attempt(work, begin)
                except DBAPIError as error:
                    code = getattr(error.orig, "sqlstate", None)
                    if code in _MISSING and made < _REMAKES:
                        _log.warning("graph checkpoints of %s are gone; re-making", self._address)
                        made, self._made = made + 1, False
                        continue
                    if not is_passing(error) or time.monotonic() + pause > deadline:
                        raise
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _attempt(self, work: Callable[[Connection], T], begin: str) -> T:
        with self._current_engine().connect() as connection:
            connection.exec_driver_sql(begin)
            # What may be lost at any moment need not wait for the disk.
            connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
            # Where `work` fails, the pool rolls back what was begun.
            result = work(connection)
            connection.exec_driver_sql("COMMIT")
        return result

    def _current_engine(self) -> Engine:
        with self._guard:
            if self._engine is None:
                self._engine = open_engine(self._address, patience=self._patience, kept=1, more=4)
                self._made = False
            if not self._made:
                with self._engine.connect() as connection:
                    self._prepare(connection)
                self._made = True
            return self._engine

    def _prepare(self, connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql(LOCK_TABLES)
        first = next(iter(self._schema.tables))
        mark = connection.exec_driver_sql(
            "SELECT obj_description(oid, 'pg_class') FROM pg_class"
            f" WHERE relname = '{first}' AND relnamespace = current_schema()::regnamespace"
        ).scalar()
        if mark != self._mark:
            for table in reversed(self._schema.sorted_tables):
                connection.execute(DropTable(table, if_exists=True))
        self._schema.create_all(connection)
        connection.exec_driver_sql(f"COMMENT ON TABLE {first} IS '{self._mark}'")
        connection.exec_driver_sql("COMMIT")
