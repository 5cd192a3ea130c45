"""The backlog: what a refresh reads, and what keeps work from being claimed."""

from sqlalchemy import event

from envwright.store.backlog import Backlog, Hindrances
from support.postgres_adapters import OnPostgres
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import commit, drafted, finishing, gate, recorded, work_of


class BacklogOfAny:
    def refresh(self, adapters: SqliteAdapters, backlog: Backlog) -> list[str]:
        with adapters.store.database.read() as tx:
            backlog.refresh(tx)
        return [work.cause for work in backlog]

    def test_it_holds_what_is_open_in_position_order(self, adapters: SqliteAdapters):
        backlog = Backlog("group", "tester", None, 0)
        assert self.refresh(adapters, backlog) == []
        causes = [recorded(adapters.log, drafted(str(number))) for number in range(3)]
        assert self.refresh(adapters, backlog) == [cause.id for cause in causes]
        claim = adapters.leases.claim(work_of(causes[1]), holder="a", ttl=9)
        assert claim is not None
        adapters.log.commit(finishing(claim))
        assert self.refresh(adapters, backlog) == [causes[0].id, causes[2].id]

    def test_its_mark_is_below_the_first_open_work(self, adapters: SqliteAdapters):
        backlog = Backlog("group", "tester", None, 0)
        adapters.log.commit(commit(gate("1"), gate("2"), drafted("3"), gate("4")))
        self.refresh(adapters, backlog)
        assert backlog.mark == 2

    def test_a_refresh_without_news_reads_only_where_the_log_ends(self, adapters: SqliteAdapters):
        backlog = Backlog("group", "tester", None, 0)
        adapters.log.commit(commit(*[drafted(str(number)) for number in range(5)]))
        self.refresh(adapters, backlog)
        statements: list[str] = []

        def note(_conn, _cursor, statement, _parameters, _context, _many) -> None:
            statements.append(statement)

        with adapters.store.database.read() as tx:
            event.listen(tx.connection, "before_cursor_execute", note)
            backlog.refresh(tx)
        assert len(statements) == 1 and "log_head" in statements[0]


class TestBacklog(OnSqlite, BacklogOfAny):
    def test_new_events_are_found_by_index(self, adapters: SqliteAdapters):
        statements: list[tuple[str, object]] = []

        def note(_conn, _cursor, statement, parameters, _context, _many) -> None:
            statements.append((statement, parameters))

        adapters.log.commit(commit(drafted("1")))
        with adapters.store.database.read() as tx:
            event.listen(tx.connection, "before_cursor_execute", note)
            Backlog("group", "tester", None, 0).refresh(tx)
            Hindrances.load(tx, ["group.tester"])
            for statement, parameters in statements[1:]:
                plan = tx.raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
                steps = [row[3] for row in plan if row[3].startswith(("SCAN", "SEARCH"))]
                assert steps and all("USING" in step and "SCAN" not in step for step in steps)


class TestBacklogOnPostgres(OnPostgres, BacklogOfAny):
    pass
