"""Projections: catching up, several processes, rebuilding byte for byte."""

import threading

import pytest

from envwright.events.errors import ConcurrencyError
from envwright.events.ports import Commit, CursorMove, ProjectionWrite
from envwright.store import Projector, projections
from envwright.store.projections import ProjectionRows
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import commit, drafted, gate


class Counts:
    """How many gates each package has had; a draft makes its row disappear."""

    name = "counts"
    types = frozenset({"gate.evaluated", "package.drafted"})

    def apply(self, envelope, rows):
        key = envelope.correlation_id
        if envelope.type == "package.drafted":
            return [ProjectionWrite(projection=self.name, key=key, value=None)]
        value = b"%d" % (int(rows.get(key, b"0")) + 1)
        return [ProjectionWrite(projection=self.name, key=key, value=value)]


class TestProjector(OnSqlite):
    def rows(self, adapters: SqliteAdapters) -> dict[str, bytes]:
        return dict(adapters.log.projection("counts"))

    def test_it_folds_what_is_new(self, adapters: SqliteAdapters):
        projector = Projector(adapters.log, Counts())
        assert projector.catch_up() == 0
        adapters.log.commit(commit(gate("1"), gate("2")))
        assert projector.catch_up() == 2 and self.rows(adapters) == {"p": b"2"}
        adapters.log.commit(commit(gate("3"), drafted("4"), gate("5")))
        assert projector.catch_up() == projector.catch_up() == 5
        assert list(projector.rows()) == [("p", b"1")]

    def test_events_of_other_types_only_move_the_cursor(self, adapters: SqliteAdapters):
        projector = Projector(adapters.log, Counts())
        adapters.log.commit(commit(gate("1")))
        store = adapters.store
        store.log.commit(Commit(cursor=CursorMove(name="other", expected=0, position=1)))
        assert projector.catch_up() == 1 and adapters.log.cursor(projector.cursor) == 1

    def test_a_long_way_is_gone_in_steps(self, adapters: SqliteAdapters, monkeypatch):
        monkeypatch.setattr(projections, "_BATCH", 3)
        adapters.log.commit(commit(*[gate(str(number)) for number in range(10)]))
        assert Projector(adapters.log, Counts()).catch_up() == 10
        assert self.rows(adapters) == {"p": b"10"}

    def test_two_processes_count_nothing_twice(self, adapters: SqliteAdapters, monkeypatch):
        monkeypatch.setattr(projections, "_BATCH", 5)
        places = [adapters, adapters.again()]
        adapters.log.commit(commit(*[gate(str(number)) for number in range(60)]))

        def run(place: SqliteAdapters) -> None:
            Projector(place.log, Counts()).catch_up()

        threads = [threading.Thread(target=run, args=(place,)) for place in places * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert self.rows(adapters) == {"p": b"60"}

    def test_a_rebuild_gives_the_same_bytes(self, adapters: SqliteAdapters):
        projector = Projector(adapters.log, Counts())
        for number in range(7):
            adapters.log.commit(commit(gate(f"g{number}", f"p{number % 3}")))
            projector.catch_up()
        adapters.log.commit(commit(drafted("d", "p1")))
        projector.catch_up()
        kept = self.rows(adapters)
        position = adapters.log.cursor(projector.cursor)
        spoilt = [("p0", b"wrong"), ("p2", None), ("stale", b"1")]
        writes = tuple(
            ProjectionWrite(projection="counts", key=key, value=value) for key, value in spoilt
        )
        adapters.log.commit(Commit(projections=writes))
        assert projector.rebuild() == position
        assert self.rows(adapters) == kept == {"p0": b"3", "p2": b"2"}

    def test_a_rebuild_that_somebody_overtakes_is_refused(self, adapters: SqliteAdapters):
        class Overtaken(Counts):
            def apply(self, envelope, rows):
                if not adapters.log.cursor("projection/counts"):
                    Projector(adapters.log, Counts()).catch_up()
                return super().apply(envelope, rows)

        adapters.log.commit(commit(gate("1")))
        with pytest.raises(ConcurrencyError):
            Projector(adapters.log, Overtaken()).rebuild()


class TestProjectionRows(OnSqlite):
    def test_it_knows_who_wrote_a_row_last(self, adapters: SqliteAdapters):
        adapters.log.commit(commit(gate("1"), gate("2")))
        rows = ProjectionRows(Counts())
        one, two = adapters.log.read_all()
        rows.fold(one)
        before = rows.copy()
        rows.fold(two)
        assert rows.written_by == {"p": two.id} and before.written_by == {"p": one.id}
        assert dict(before.items()) == {"p": b"1"}
