"""The log on both engines."""

import sqlite3

import pytest

from envwright.events.errors import IntegrityError
from envwright.store import open_store
from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_conformance_log import LogConformance, completed
from support.store_events import commit, event, gate, recorded


class TestSqliteLog(OnSqlite, LogConformance):
    @pytest.mark.parametrize("table", ["events", "payloads", "inbox"])
    @pytest.mark.parametrize("change", ["UPDATE {} SET rowid = 9", "DELETE FROM {}"])
    def test_triggers_refuse_a_change(self, adapters: SqliteAdapters, table, change):
        adapters.log.commit(commit(gate("1")))
        raw = sqlite3.connect(adapters.home / "log.sqlite")
        raw.execute("INSERT INTO inbox VALUES (1, 'g', 'e', 'w', '{}')")
        with pytest.raises(sqlite3.IntegrityError, match=f"{table} are append-only"):
            raw.execute(change.format(table))
        raw.close()

    @pytest.mark.parametrize("position", [1, 3])
    def test_triggers_refuse_a_position_out_of_order(self, adapters: SqliteAdapters, position):
        adapters.log.commit(commit(gate("1")))
        raw = sqlite3.connect(adapters.home / "log.sqlite")
        columns = "'i', 's', 1, 'k', 't', 'r', 'c', x'00', 'p', 'q', 'h', 'now'"
        with pytest.raises(sqlite3.IntegrityError, match="contiguous"):
            raw.execute(f"INSERT OR REPLACE INTO events VALUES ({position}, {columns})")
        raw.close()

    def test_a_large_body_that_is_gone_or_altered_is_named(self, adapters: SqliteAdapters):
        recorded(adapters.log, event(completed("k", "x" * 100_000), "1"))
        [artifact] = (adapters.home / "artifacts").glob("??/*")
        artifact.write_bytes(b"altered")
        with pytest.raises(IntegrityError, match="event at position 1: its body: artifact"):
            list(adapters.log.read_all())
        artifact.unlink()
        with pytest.raises(IntegrityError, match="event at position 1: its body: artifact"):
            list(adapters.log.read_all())

    def test_an_unreadable_header_is_named(self, adapters: SqliteAdapters):
        adapters.log.commit(commit(gate("1")))
        raw = sqlite3.connect(adapters.home / "log.sqlite")
        raw.execute("DROP TRIGGER events_refuse_update")
        raw.execute("UPDATE events SET header = x'7b'")
        raw.commit()
        raw.close()
        with pytest.raises(IntegrityError, match="position 1 has an unreadable header"):
            list(adapters.log.read_all())

    def test_closing_the_log_closes_the_home(self, tmp_path):
        store = open_store(tmp_path)
        store.log.commit(commit(gate("1")))
        store.log.close()
        with open_store(tmp_path).database.read() as tx:
            assert tx.raw.execute("SELECT position FROM log_head").fetchone() == (1,)


class TestPostgresLog(OnPostgres, LogConformance):
    pass
