"""A real PostgreSQL server for tests: one for all processes of a session, a database for each test.

`TEST_POSTGRES_URL` names a server that runs already, by the URL of a database in which the
user may create others. Without it a server of our own is started where PostgreSQL is installed:
in a temporary folder, on a socket in it and on a free loopback port, and ended with the session.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

EXISTING = os.environ.get("TEST_POSTGRES_URL", "")
USER, PASSWORD = "envwright", "s3cret-word"
_SECONDS = 30.0

# Ends the server where whoever holds its standard input has ended, and so itself.
_GUARDED = """
    exec 3<&0; "$@" </dev/null & server=$!
    { read -r _ <&3; kill -QUIT $server; } & guard=$!
    wait $server; code=$?; kill $guard 2>/dev/null; exit $code
"""

_numbers = count(1)


class PostgresServer:
    """A server that tests may stop, kill and start again."""

    def __init__(self, folder: Path) -> None:
        """Make an empty server in a folder and start it."""
        self.folder = folder
        self.port = _free_port()
        self._data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        word = folder / "password"
        word.write_text(PASSWORD)
        if os.geteuid() == 0:
            for place in (folder, word):
                shutil.chown(place, "postgres")
        # Both by password: the tests want wrong ones to be refused.
        self._run(
            "initdb", "--pgdata", self._data, "--username", USER, "--pwfile", word,
            "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync",
        )  # fmt: skip
        self.start()

    @property
    def url(self) -> str:
        """URL of its first database."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [
                *_unprivileged(), "sh", "-c", _GUARDED, "sh", program("postgres"),
                "-D", self._data, "-p", str(self.port),
                "-c", f"unix_socket_directories={self.folder}", "-c", "listen_addresses=127.0.0.1",
                "-c", "max_connections=200", "-c", "shared_buffers=64MB",
            ],
            stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.folder, start_new_session=True,
        )  # fmt: skip
        log.close()
        deadline = time.monotonic() + _SECONDS
        while True:
            try:
                psycopg.connect(self.url, connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
                assert time.monotonic() < deadline, "the server takes no connections"
                time.sleep(0.05)

    def stop(self, *, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT ends every client, SIGQUIT is a crash that it recovers from."""
        assert self._process is not None
        postmaster = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(postmaster, how)
        self._process.wait(timeout=_SECONDS)
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process = None

    def restart(self, *, how: signal.Signals = signal.SIGINT) -> None:
        """End it and start it again."""
        self.stop(how=how)
        self.start()

    def close(self) -> None:
        """End it for good."""
        if self._process is not None:
            self.stop(how=signal.SIGQUIT)

    def _run(self, name: str, *arguments: object) -> None:
        command = [*_unprivileged(), program(name), *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder)


def installed() -> bool:
    """Say whether a server can be started here."""
    return _found("initdb") is not None


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs."""
    return _found(name) or pytest.fail(
        f"no {name}: run deploy/services.sh, or set TEST_POSTGRES_URL"
    )


def _found(name: str) -> str | None:
    places = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: int(at.parent.name), reverse=True
    )
    folders = os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)])
    return shutil.which(name, path=folders)


@contextmanager
def started() -> Iterator[PostgresServer]:
    """Yield a server that lasts as long as the block."""
    # Not pytest's folder: that is closed to other users, and too long a path for a socket.
    folder = Path(tempfile.mkdtemp(prefix="envwright-pg-"))
    server: PostgresServer | None = None
    try:
        server = PostgresServer(folder)
        yield server
    finally:
        if server is not None:
            server.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(server_url: str) -> Iterator[str]:
    """Yield the URL of an empty database on a server, dropped at the end."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    try:
        yield make_url(server_url).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


def _unprivileged() -> list[str]:
    """Return what stands before a command of the server, which refuses to be run by root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
