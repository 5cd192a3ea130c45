"""Faults of a PostgreSQL server under a log: each ends in a clear error or in a retry."""

import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Callable

import psycopg
from sqlalchemy import make_url

from support.postgres_server import PostgresServer
from support.store_faults import LogCheck, Place, check
from support.store_faults_cases import SHORT, Committer, opened, refusal
from support.store_faults_disk import Disk
from support.store_faults_writer import Task, WriterProcess

_MANY = 100_000


def full_disk(place: Place, server: PostgresServer, disk: Disk) -> LogCheck:
    """Give the database a small disk of its own, fill it, and give some room back."""
    room = disk.folder / "tablespace"
    room.mkdir()
    if os.geteuid() == 0:
        disk.folder.chmod(0o755)
        shutil.chown(room, "postgres")
    _execute(server.url, f"CREATE TABLESPACE small LOCATION '{room}'")
    _execute(server.url, "CREATE DATABASE on_small TABLESPACE small")
    url = make_url(server.url).set(database="on_small").render_as_string(hide_password=False)
    there = Place("postgres", place.folder, url)
    with opened(there) as log:
        committer = Committer(log)
        committer.go(20)
        disk.fill(free=1 << 20)
        problems = refusal(lambda: committer.go(_MANY), "disk is full")
        if log.head() != sum(1 for _ in log.read_all()):
            problems.append("the log cannot be read while the disk is full")
        disk.relieve()
        committer.go(20)
    found = check(there, committer.acknowledged)
    found.problems += problems
    _execute(server.url, "DROP DATABASE on_small WITH (FORCE)")
    _execute(server.url, "DROP TABLESPACE small")
    return found


def read_only_database(place: Place) -> LogCheck:
    """Let the database be read only, as on a standby, and let it be written again."""
    name = make_url(place.url).database
    with opened(place) as log:
        committer = Committer(log)
        committer.go(10)
        _execute(place.url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        cut_connections(place.url)
        problems = refusal(lambda: committer.go(1), "may only be read")
        if not list(log.read_all()):
            problems.append("it cannot be read either")
        _execute(
            place.url,
            "SET default_transaction_read_only = off",
            f"ALTER DATABASE {name} RESET default_transaction_read_only",
        )
        cut_connections(place.url)
        committer.go(10)
    found = check(place, committer.acknowledged)
    found.problems += problems
    return found


def locked_table(place: Place) -> LogCheck:
    """Lock the table from another client, for longer and for less than the patience."""
    with opened(place, SHORT) as impatient, opened(place) as patient:
        committer = Committer(impatient)
        committer.go(5)
        with psycopg.connect(place.url) as other:
            other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
            problems = refusal(lambda: committer.go(1), "did not answer", "stays locked")
        committer.go(5)
        committer.turn_to(patient)
        other = psycopg.connect(place.url)
        other.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
        threading.Timer(2 * SHORT, other.close).start()
        started = time.monotonic()
        committer.go(5)
        if time.monotonic() - started < SHORT:
            problems.append("nothing was locked")
    found = check(place, committer.acknowledged)
    found.problems += problems
    return found


def connections_cut(place: Place, *, cuts: int = 5, seed: int = 0) -> LogCheck:
    """End every connection of the writers at random moments, perhaps between COMMIT and answer."""
    return _through(place, seed, cuts, lambda: cut_connections(place.url))


def restarts(place: Place, server: PostgresServer, *, times: int = 3, seed: int = 0) -> LogCheck:
    """Let the server crash and recover while writers commit."""
    return _through(place, seed, times, lambda: server.restart(how=signal.SIGQUIT))


def _through(place: Place, seed: int, times: int, fault: Callable[[], object]) -> LogCheck:
    chance = random.Random(seed)
    tasks = [Task(place, f"through-{seed}-{number}", seed) for number in range(4)]
    writers = [WriterProcess(*tasks[:2]), WriterProcess(*tasks[2:])]
    try:
        for _ in range(times):
            for writer in writers:
                writer.await_commits(10)
            time.sleep(chance.uniform(0, 0.1))
            fault()
        for writer in writers:
            writer.await_commits(10)
    finally:
        for writer in writers:
            writer.kill()
    acknowledged = {key: at for each in writers for key, at in each.acknowledged().items()}
    return check(place, acknowledged)


def cut_connections(url: str) -> int:
    """End the connections of all stores to a database; return how many there were."""
    with psycopg.connect(url, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
            "current_database() AND application_name = 'envwright'"
        ).fetchall()
    return len(ended)


def _execute(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())
