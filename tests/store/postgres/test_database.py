"""The PostgreSQL engine: its tables, who shares it, and servers that end in mid-commit."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from envwright.events.errors import BadInputError, InfrastructureError, UnknownSchemaError
from envwright.store import open_store
from envwright.store.postgres.database import PostgresDatabase
from envwright.store.schema import METADATA, SCHEMA_VERSION, VERSION_TABLE
from support.postgres_adapters import OnPostgres, PostgresAdapters
from support.postgres_server import PostgresServer
from support.rooms import ROOT
from support.store_conformance_log import verify
from support.store_events import candidate, commit, gate, recorded, work_of

pytestmark = pytest.mark.postgres

RECORDED = ("events", "payloads", "inbox", "merkle_checkpoints")


def execute(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as raw:
        for statement in statements:
            raw.execute(statement.encode())


class TestTables(OnPostgres):
    def test_the_migrations_make_what_is_declared(self, adapters: PostgresAdapters):
        def here(_item, _name, kind, _reflected, _compared) -> bool:
            return kind != "foreign_key_constraint"  # PostgreSQL has a trigger in its place.

        options = {"version_table": VERSION_TABLE, "include_object": here}
        with adapters.store.database.read() as tx:
            context = MigrationContext.configure(tx.connection, opts=options)
            assert compare_metadata(context, METADATA) == []

    @pytest.mark.parametrize("table", RECORDED)
    @pytest.mark.parametrize(
        "change", ["UPDATE {0} SET {1} = {1}", "DELETE FROM {0}", "TRUNCATE {0}"]
    )
    def test_what_is_recorded_is_append_only(self, adapters: PostgresAdapters, table, change):
        adapters.log.commit(commit(gate("1")))
        column = METADATA.tables[table].columns.keys()[0]
        for role in ("origin", "replica"):
            with psycopg.connect(adapters.url, autocommit=True) as raw:
                raw.execute(f"SET session_replication_role = {role}".encode())
                with pytest.raises(psycopg.IntegrityError, match=f"{table} are append-only"):
                    raw.execute(change.format(table, column).encode())

    @pytest.mark.parametrize("positions", [(1,), (3,), (2, 4), (3, 2, 5)])
    def test_positions_out_of_order_are_refused(self, adapters: PostgresAdapters, positions):
        adapters.log.commit(commit(gate("1")))
        rows = ", ".join(
            f"({at}, 'i{at}', 's', {at}, 'k{at}', 't', 'r', 'c', '', 'p', 'q', 'h', 'now')"
            for at in positions
        )
        with pytest.raises(psycopg.IntegrityError):
            execute(adapters.url, f"INSERT INTO events VALUES {rows}")

    def test_a_payload_without_its_event_is_refused(self, adapters: PostgresAdapters):
        with pytest.raises(psycopg.IntegrityError, match="a payload is that of an event"):
            execute(adapters.url, "INSERT INTO payloads VALUES (1, '')")

    def test_a_read_is_one_snapshot_and_cannot_write(self, adapters: PostgresAdapters):
        adapters.log.commit(commit(gate("1")))
        count = "SELECT count(*) FROM events"
        with adapters.store.database.read() as tx:
            assert tx.raw.execute(count).fetchone() == (1,)
            adapters.log.commit(commit(gate("2")))
            assert tx.raw.execute(count).fetchone() == (1,)
        refused = pytest.raises(InfrastructureError, match="may only be read")
        with refused, adapters.store.database.read() as tx:
            tx.raw.execute("DELETE FROM leases")

    def test_a_plan_that_was_made_while_the_tables_were_empty_uses_their_indexes(
        self, adapters: PostgresAdapters
    ):
        questions = {
            "keys(text[])": "SELECT position FROM events WHERE idempotency_key = ANY($1)",
            "head(text)": "SELECT hash FROM events WHERE stream = $1 ORDER BY sequence DESC",
            "lease(text)": "SELECT token, state FROM leases WHERE work = $1",
        }

        def plans(tx) -> str:
            tx.connection.exec_driver_sql("SET LOCAL plan_cache_mode = force_generic_plan")
            found = []
            for name, question in questions.items():
                tx.connection.exec_driver_sql(f"PREPARE {name} AS {question}")
                explain = f"EXPLAIN EXECUTE {name.partition('(')[0]} ('{{x}}')"
                found += tx.connection.exec_driver_sql(explain).scalars()
            return "\n".join(found)

        said = adapters.store.database.write(plans)
        assert "Seq Scan" not in said and said.count("Index") >= 3

    def test_a_process_that_stands_still_does_not_hold_the_others_up(
        self, adapters: PostgresAdapters
    ):
        raw = psycopg.connect(adapters.url, autocommit=True)
        raw.execute("SET idle_in_transaction_session_timeout = 500")
        raw.execute("BEGIN")
        raw.execute("UPDATE log_head SET position = position + 1")
        assert adapters.log.commit(commit(gate("1"))).positions == (1,)
        raw.close()


def test_it_is_made_once_by_many_at_the_same_time(postgres_url):
    with ThreadPoolExecutor(8) as pool:
        for opened in list(pool.map(lambda _: PostgresDatabase(postgres_url), range(8))):
            opened.close()
    with psycopg.connect(postgres_url) as raw:
        assert raw.execute("SELECT * FROM log_head").fetchall() == [(1, 0)]


def test_a_newer_schema_is_refused(postgres_url):
    PostgresDatabase(postgres_url).close()
    execute(postgres_url, f"UPDATE {VERSION_TABLE} SET version_num = '{SCHEMA_VERSION + 1:04}'")
    with pytest.raises(UnknownSchemaError, match=f"schema version {SCHEMA_VERSION + 1}"):
        PostgresDatabase(postgres_url)


def test_a_database_of_something_else_is_refused_and_left_as_it_is(postgres_url):
    execute(postgres_url, "CREATE TABLE theirs (x int)")
    with pytest.raises(BadInputError, match="something else: it has theirs.*createdb"):
        PostgresDatabase(postgres_url)
    with psycopg.connect(postgres_url) as raw:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        assert raw.execute(query).fetchall() == [("theirs",)]


def refusal(url: str) -> str:
    """Return what opening says; never the password."""
    with pytest.raises((BadInputError, InfrastructureError)) as failure:
        PostgresDatabase(url)
    assert "s3cret" not in str(failure.value) and "wrong-word" not in str(failure.value)
    assert failure.value.__cause__ is None
    return str(failure.value)


def test_what_keeps_it_from_opening_is_said(postgres_url):
    assert "refuses the password of envwright" in refusal(
        postgres_url.replace("s3cret-word", "wrong-word")
    )
    assert "createdb --owner envwright nowhere" in refusal(
        postgres_url.rpartition("/")[0] + "/nowhere"
    )
    place, _, name = postgres_url.rpartition("@")[2].partition("/")
    assert "cannot be reached" in refusal(f"postgresql://me:s3cret@127.0.0.1:1/{name}")
    role = f"reader_{os.getpid()}"
    execute(postgres_url, f"CREATE ROLE {role} LOGIN PASSWORD 's3cret'")
    try:
        said = refusal(f"postgresql://{role}:s3cret@{place}/{name}")
        assert f"GRANT ALL ON SCHEMA public TO {role}" in said
    finally:
        execute(postgres_url, f"DROP ROLE {role}")


def committer(url: str, name: str, stale: str) -> subprocess.Popen[str]:
    program = ROOT / "tests" / "support" / "store_committer.py"
    return subprocess.Popen(
        [sys.executable, str(program), "environment", name, stale],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests"), "COMMITTER_PLACE": url},
    )


def said(process: subprocess.Popen[str], lines: int | None = None) -> dict[str, int]:
    """Read what a process has said; without `lines`, all that it said before its end."""
    assert process.stdout is not None
    found: dict[str, int] = {}
    while lines is None or len(found) < lines:
        line = process.stdout.readline()
        if not line.endswith("\n"):
            break
        assert not line.startswith("FAULT"), line
        key, position = line.split()
        found[key] = int(position)
    return found


def kill(process: subprocess.Popen[str]) -> dict[str, int]:
    process.kill()
    found = said(process)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
    return found


def taken_over(url: str, folder: Path) -> str:
    """Make a log with work whose first claim, token 1, was lost to a second one."""
    store = open_store(url, artifacts=folder)
    due = work_of(recorded(store.log, candidate("cause")))
    for holder in ("first", "second"):
        store.leases.claim(due, holder=holder, ttl=1000)
        store.leases.expire("first")
    store.close()
    return due.work


def assert_sound(url: str, folder: Path, acknowledged: dict[str, int]) -> None:
    store = open_store(url, artifacts=folder)
    found = {each.idempotency_key: each.position for each in store.log.read_all()}
    assert acknowledged.items() <= found.items()
    assert sorted(found.values()) == [*range(1, store.log.head() + 1)]
    assert verify(store.log) == len(found) and store.replay().diverged is None
    store.close()


ENOUGH = 30
"""Acknowledgements to wait for before something is killed."""


def test_nothing_acknowledged_is_lost_when_processes_are_killed(postgres_url, tmp_path):
    stale = taken_over(postgres_url, tmp_path)
    one, two = (committer(postgres_url, name, stale) for name in ("one", "two"))
    acknowledged = said(one, ENOUGH) | said(two, ENOUGH) | kill(one)
    after = said(two, ENOUGH)
    assert len(after) == ENOUGH, "the survivor goes on"
    assert_sound(postgres_url, tmp_path, acknowledged | after | kill(two))


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["shut down", "crashed"])
def test_a_server_that_restarts_in_mid_commit_loses_and_doubles_nothing(
    postgres_server: PostgresServer, tmp_path, how
):
    stale = taken_over(postgres_server.url, tmp_path)
    processes = [committer(postgres_server.url, name, stale) for name in ("one", "two")]
    acknowledged: dict[str, int] = {}
    for _ in range(3):
        for process in processes:
            found = said(process, ENOUGH)
            assert len(found) == ENOUGH, "it goes on after a restart"
            acknowledged |= found
        postgres_server.restart(how=how)
    for process in processes:
        acknowledged |= kill(process)
    assert_sound(postgres_server.url, tmp_path, acknowledged)


@pytest.mark.slow
def test_reads_outlive_a_restart(postgres_server: PostgresServer, tmp_path):
    store = open_store(postgres_server.url, artifacts=tmp_path)
    store.log.commit(commit(gate("1")))
    postgres_server.stop()
    late = threading.Timer(1.0, postgres_server.start)
    late.start()
    assert store.log.head() == 1 and len(list(store.log.read_all())) == 1
    late.join()
    assert store.log.commit(commit(gate("2"))).positions == (2,)
    store.close()


@pytest.mark.slow
def test_a_server_that_stays_away_is_an_infrastructure_error(postgres_server: PostgresServer):
    database = PostgresDatabase(postgres_server.url, patience=1.0)
    postgres_server.stop()
    started = time.monotonic()
    for act in (database.write, database.query):
        with pytest.raises(InfrastructureError, match="cannot be reached|did not answer") as found:
            act(lambda tx: tx.now())
        assert "s3cret" not in str(found.value)
    assert time.monotonic() - started < 20
    database.close()
