"""Leases on both engines."""

from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_conformance_leases import LeasesConformance, claim, refused, work


class TestSqliteLeases(OnSqlite, LeasesConformance):
    def test_work_that_nobody_holds_is_given_up_without_a_claim(self, adapters: SqliteAdapters):
        fresh, retried = work(adapters, "1"), work(adapters, "2", "q")
        leases = adapters.store.leases
        leases.retry(claim(adapters, retried), delay=1000)
        for due in (fresh, retried):
            leases.give_up(due, error="undecodable")
            leases.give_up(due, error="said twice")
        assert leases.parked("run-1") == (fresh, retried)
        assert len(list(adapters.log.read(f"work/{fresh.work}"))) == 1

    def test_giving_up_leaves_a_live_claim_and_done_work_alone(self, adapters: SqliteAdapters):
        due = work(adapters)
        held = claim(adapters, due)
        adapters.store.leases.give_up(due, error="x")
        assert adapters.leases.renew(held, ttl=10)

    def test_giving_up_fences_a_holder_whose_lease_ran_out(self, adapters: SqliteAdapters):
        due = work(adapters)
        held = claim(adapters, due, ttl=5)
        adapters.pass_time(6)
        adapters.store.leases.give_up(due, error="x")
        assert not adapters.leases.renew(held, ttl=10)
        assert refused(adapters, due)


class TestPostgresLeases(OnPostgres, TestSqliteLeases):
    pass
