"""The database, whatever its engine."""

import threading

import pytest

from envwright.events.errors import ConcurrencyError, InfrastructureError
from envwright.store import open_store
from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import commit, gate


class TestSqliteDatabase(OnSqlite):
    def test_a_write_gives_its_result_and_raises_its_error(self, adapters: SqliteAdapters):
        database = adapters.store.database
        assert database.write(lambda tx: tx.raw.execute("SELECT 7").fetchone()[0]) == 7
        with pytest.raises(ConcurrencyError):
            adapters.log.commit(commit(gate("1"), expected=5))
        with pytest.raises(ZeroDivisionError):
            database.write(lambda tx: 1 / 0)
        assert adapters.log.commit(commit(gate("1"), expected=0)).positions == (1,)

    def test_a_query_sees_one_snapshot(self, adapters: SqliteAdapters):
        counts: list[int] = []

        def look(tx) -> None:
            for key in ("1", "2"):
                counts.append(tx.raw.execute("SELECT COUNT(*) FROM events").fetchone()[0])
                writing = threading.Thread(
                    target=lambda k=key: adapters.log.commit(commit(gate(k)))
                )
                writing.start()
                writing.join()

        adapters.store.database.query(look)
        assert counts == [0, 0] and adapters.log.head() == 2

    def test_a_closed_one_says_so(self, adapters: SqliteAdapters):
        other = adapters.again()
        other.store.close()
        with pytest.raises(InfrastructureError, match="is closed"):
            other.log.commit(commit(gate("1")))


class TestPostgresDatabase(OnPostgres, TestSqliteDatabase):
    pass


def test_a_log_on_a_server_wants_a_place_for_artifacts():
    with pytest.raises(Exception, match="artifacts=FOLDER"):
        open_store("postgresql://host/log")
