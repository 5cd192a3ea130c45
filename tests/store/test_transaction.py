"""The database's clock."""

import time
from datetime import datetime

from envwright.store.transaction import Transaction
from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite, SqliteAdapters


def timestamp(tx: Transaction) -> str:
    return str(tx.raw.execute(f"SELECT {tx.dialect.timestamp}", (tx.shift(),)).fetchone()[0])


class TestClock(OnSqlite):
    def test_it_tells_the_time(self, adapters: SqliteAdapters):
        with adapters.store.database.read() as tx:
            assert abs(tx.now() - time.time()) < 5
            said = datetime.fromisoformat(timestamp(tx))
            assert abs(said.timestamp() - tx.now()) < 5
            assert timestamp(tx).endswith("Z")

    def test_it_resolves_milliseconds_and_never_steps_back(self, adapters: SqliteAdapters):
        with adapters.store.database.read() as tx:
            times = [tx.now()]
            while times[-1] == times[0]:
                times.append(tx.now())
            assert times[-1] - times[0] < 1

    def test_it_can_be_moved(self, adapters: SqliteAdapters):
        with adapters.store.database.read() as tx:
            before = tx.now()
            adapters.store.database.clock_offset = 3600.5
            assert 3600 < tx.now() - before < 3610
            assert datetime.fromisoformat(timestamp(tx)).timestamp() - before > 3600


class TestClockOnPostgres(OnPostgres, TestClock):
    pass
