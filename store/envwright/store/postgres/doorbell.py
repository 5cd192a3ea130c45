"""The doorbell: a hint to other processes that something was committed; nothing depends on it."""

import logging
import threading
from collections.abc import Callable
from typing import Any

import psycopg
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

logger = logging.getLogger(__name__)

_CHANNEL = "envwright"
_RING_SECONDS = 0.02
"""Least time between two rings; what is committed meanwhile shares one."""

_RETRY_SECONDS = 2.0
_LOOK_SECONDS = 1.0

Connect = Callable[[], "psycopg.Connection[Any]"]


class Doorbell:
    """NOTIFY after commits, on a connection of its own, and LISTEN for that of other processes.

    Not in the transaction of the commit: there NOTIFY takes a lock of the whole server.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._rung = threading.Event()
        self._wakes: list[Callable[[], None]] = []
        self._threads: dict[str, threading.Thread] = {}
        self._own: int = 0

    def ring(self) -> None:
        """Tell other processes soon; never waits and never fails."""
        self._rung.set()
        self._start("doorbell", self._ring)

    def listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` when another process has rung."""
        self._wakes.append(wake)
        self._start("doorbell-listener", self._hear)

    def close(self) -> None:
        """End the threads."""
        self._closed.set()
        self._rung.set()
        with self._guard:
            threads = list(self._threads.values())
        for thread in threads:
            thread.join()

    def _start(self, name: str, work: Callable[["psycopg.Connection[Any]"], None]) -> None:
        if name in self._threads:
            return
        with self._guard:
            if name not in self._threads and not self._closed.is_set():
                thread = threading.Thread(target=self._serve, args=(work,), name=name, daemon=True)
                self._threads[name] = thread
                thread.start()

    def _serve(self, work: Callable[["psycopg.Connection[Any]"], None]) -> None:
        """Do some work on a connection, and on another one when that is lost, until closed."""
        while not self._closed.is_set():
            try:
                connection = self._connect()
                try:
                    work(connection)
                finally:
                    connection.close()
            except (psycopg.Error, DBAPIError, SQLAlchemyError) as error:
                logger.debug("the doorbell is out of order: %s", type(error).__name__)
                self._closed.wait(_RETRY_SECONDS)

    def _ring(self, connection: "psycopg.Connection[Any]") -> None:
        self._own = connection.info.backend_pid
        while not self._closed.is_set():
            self._rung.wait()
            self._rung.clear()
            if not self._closed.is_set():
                connection.execute(f"NOTIFY {_CHANNEL}".encode())
                self._closed.wait(_RING_SECONDS)

    def _hear(self, connection: "psycopg.Connection[Any]") -> None:
        connection.execute(f"LISTEN {_CHANNEL}".encode())
        while not self._closed.is_set():
            for heard in connection.notifies(timeout=_LOOK_SECONDS, stop_after=1):
                if heard.pid != self._own:
                    for wake in self._wakes:
                        wake()
