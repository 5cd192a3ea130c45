"""The store-backed bus."""

import threading
import time

from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_conformance_bus import BusConformance, keys, poll, serve
from support.store_events import GROUP, commit, drafted


class TestStoreBus(OnSqlite, BusConformance):
    def test_a_notification_wakes_a_waiting_poll(self, adapters: SqliteAdapters, monkeypatch):
        monkeypatch.setattr("envwright.store.bus._QUICK", 60.0)
        subscription = adapters.bus.subscribe(GROUP, ["tester"])

        def ring() -> None:
            adapters.log.commit(commit(drafted("1")))
            adapters.bus.notify()

        late = threading.Timer(0.1, ring)
        late.start()
        started = time.monotonic()
        assert len(subscription.poll(limit=1, timeout=60)) == 1
        assert time.monotonic() - started < 30
        late.join()

    def test_a_restart_begins_at_the_low_water_mark(self, adapters: SqliteAdapters, monkeypatch):
        monkeypatch.setattr("envwright.store.bus._MARK_EVERY", 2)
        subscription = adapters.bus.subscribe(GROUP, ["tester"])
        for number in range(4):
            adapters.log.commit(commit(drafted(str(number), f"p{number}")))
        for delivery in poll(subscription)[:3]:
            serve(adapters, delivery)
        assert keys(subscription) == ["3"]
        assert adapters.log.cursor("bus/group.tester") == 3
        other = adapters.again().bus.subscribe(GROUP, ["tester"])
        assert keys(other) == ["3"]
        [delivery] = poll(other)
        serve(adapters, delivery)
        assert keys(other) == keys(subscription) == []
        assert adapters.log.cursor("bus/group.tester") == adapters.log.head()


class TestStoreBusOnPostgres(OnPostgres, TestStoreBus):
    pass
