"""A SQLite file that may be lost at any moment: it is re-created where it is gone or damaged."""

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, MetaData, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.pool import QueuePool

from envwright.events.errors import BadInputError, InfrastructureError

T = TypeVar("T")

_log = logging.getLogger(__name__)

# Primary SQLite result codes (sqlite.org/rescode.html) that a fresh connection or file cures:
# ERROR is a missing table or column; the others are lost, cut, foreign or replaced files.
_CURABLE = {1: "ERROR", 8: "READONLY", 10: "IOERR", 11: "CORRUPT", 14: "CANTOPEN", 26: "NOTADB"}


def _file_of(location: str | Path) -> Path:
    text = str(location)
    if "://" not in text:
        return Path(text)
    try:
        url = make_url(text)
    except ArgumentError:
        url = URL.create("unreadable")
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        raise BadInputError(
            f"{text!r} is not a SQLite file; give a path or a URL such as sqlite:///dir/file.sqlite"
        )
    return Path(url.database)


def _is_curable(error: DatabaseError) -> bool:
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _CURABLE


class DisposableFile:
    """Runs transactions on a SQLite file that holds nothing anybody depends on.

    One lock and one connection per process (opened after a fork, not before): threads take turns,
    processes meet in SQLite's own lock. Before each transaction the path is compared with the
    file that is open, so that a file deleted or replaced under a running process is noticed.
    """

    dialect = "sqlite"

    def __init__(
        self, location: str | Path, schema: MetaData, *, version: int, patience: float = 30.0
    ) -> None:
        """Take a path or a `sqlite:///` URL; a file of another schema version is emptied.

        `patience` is how many seconds to wait for another process before it counts as a failure.
        """
        self.path = _file_of(location)
        self._patience = patience
        self._schema = schema
        self._version = version
        self._lock = threading.RLock()
        self._engine: Engine | None = None
        self._identity: tuple[int, int] | None = None

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on one snapshot of the file.

        Raises:
            InfrastructureError: the file cannot be opened or re-created.
        """
        return self._run(work, "BEGIN")

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one write transaction; it may run again after damage, so keep it pure.

        Raises:
            InfrastructureError: the file cannot be written or re-created, or stays locked.
        """
        return self._run(work, "BEGIN IMMEDIATE")

    def close(self) -> None:
        """Close the connection; the next transaction opens it again."""
        with self._lock:
            if self._engine is not None:
                self._engine.dispose()
            self._engine = self._identity = None

    def _run(self, work: Callable[[Connection], T], begin: str) -> T:
        with self._lock:
            for cure in (self.close, self._set_aside):
                try:
                    return self._attempt(work, begin)
                except DatabaseError as error:
                    if not _is_curable(error):
                        raise self._failure(error) from error
                    _log.warning("checkpoint file %s: %s; re-creating", self.path, error.orig)
                    self._cure(cure)
            try:
                return self._attempt(work, begin)
            except DatabaseError as error:
                raise self._failure(error) from error

    def _attempt(self, work: Callable[[Connection], T], begin: str) -> T:
        try:
            engine = self._current_engine()
        except (OSError, Timeout) as error:
            raise self._failure(error) from error
        with engine.connect() as connection:
            connection = connection.execution_options(begin=begin)
            with connection.begin():
                return work(connection)

    def _failure(self, error: Exception) -> InfrastructureError:
        reason = getattr(error, "orig", None) or error
        return InfrastructureError(
            f"checkpoint file {str(self.path)!r} cannot be used ({reason}); "
            "check free space and permissions, or delete it: nothing depends on it"
        )

    def _cure(self, cure: Callable[[], None]) -> None:
        try:
            cure()
        except (OSError, Timeout) as error:
            raise self._failure(error) from error

    def _current_engine(self) -> Engine:
        if self._engine is None or self._identity != self._identify():
            self.close()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._file_lock():
                # Noted before opening too: it is what a failure to open is blamed on.
                self._identity = self._identify()
                self._engine = self._open()
                self._identity = self._identify()
        return self._engine

    def _identify(self) -> tuple[int, int] | None:
        # The open connection keeps the inode alive, so that its number cannot be used again.
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _file_lock(self) -> FileLock:
        return FileLock(f"{self.path}.lock", timeout=self._patience)

    def _open(self) -> Engine:
        if not self.path.exists():
            self._remove_companions()
        engine = create_engine(
            URL.create("sqlite", database=str(self.path)),
            poolclass=QueuePool,
            pool_size=1,
            max_overflow=0,
            connect_args={
                "timeout": self._patience,
                "check_same_thread": False,
                "isolation_level": None,
            },
        )
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", _begin)
        try:
            with engine.connect() as connection, connection.begin():
                self._prepare(connection)
        except BaseException:
            engine.dispose()
            raise
        return engine

    def _prepare(self, connection: Connection) -> None:
        found = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if found != self._version:
            self._schema.drop_all(connection)
            connection.exec_driver_sql(f"PRAGMA user_version = {self._version}")
        self._schema.create_all(connection)

    def _set_aside(self) -> None:
        with self._file_lock():
            # Where the path names another file by now, somebody else has cured it.
            if self._identity is not None and self._identity == self._identify():
                self.path.replace(f"{self.path}.damaged")
                self._remove_companions()
        self.close()

    def _remove_companions(self) -> None:
        for suffix in ("-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)


def _configure(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    connection.exec_driver_sql(options.get("begin", "BEGIN IMMEDIATE"))
