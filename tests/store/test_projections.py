"""Projections: catching up, several processes, parking, rebuilding byte for byte."""

import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from envwright.events import encode
from envwright.events.errors import ConcurrencyError, InfrastructureError
from envwright.events.ports import Commit, CursorMove, ProjectionWrite
from envwright.store import Projector, open_store, projections
from envwright.store.projections import PARKED, ProjectionRows
from support.counting import Choosy, Counts
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import commit, drafted, gate

RUN = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from envwright.store import Projector, open_store, projections
from support.counting import Counts
projections._BATCH = 7
store = open_store(Path(sys.argv[1]))
projector = Projector(store.log, Counts())
while projector.catch_up() < int(sys.argv[2]):
    pass
store.close()
"""


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
        monkeypatch.setattr(projections, "_KNOWN", 0)
        adapters.log.commit(commit(*[gate(str(number)) for number in range(10)]))
        assert Projector(adapters.log, Counts()).catch_up() == 10
        assert self.rows(adapters) == {"p": b"10"}

    def test_it_reads_only_the_rows_that_its_events_are_about(self, adapters, monkeypatch):
        adapters.log.commit(commit(*[gate(f"g{n}", "p") for n in range(3)]))
        writes = tuple(
            ProjectionWrite(projection="counts", key=f"o{n}", value=b"1") for n in range(9)
        )
        adapters.log.commit(Commit(projections=writes))
        asked = []
        real = adapters.log.projection_row

        def noted(name, key):
            asked.append((name, key))
            return real(name, key)

        monkeypatch.setattr(adapters.log, "projection_row", noted)
        monkeypatch.setattr(adapters.log, "projection", None)
        Projector(adapters.log, Counts()).catch_up()
        assert [key for name, key in asked if name == "counts"] == ["p"]

    def test_two_threads_count_nothing_twice(self, adapters: SqliteAdapters, monkeypatch):
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

    def test_two_processes_random_batches_and_a_rebuild_give_the_same_bytes(
        self, adapters: SqliteAdapters, tmp_path: Path, monkeypatch
    ):
        chance = random.Random(11)
        story = [(f"k{n}", f"p{chance.randrange(6)}", chance.random() < 0.1) for n in range(240)]
        alone = open_store(tmp_path / "alone")
        tests = str(Path(__file__).parents[1])
        command = [sys.executable, "-c", RUN, str(adapters.home), str(len(story)), tests]
        crowd = [subprocess.Popen(command) for _ in range(2)]
        for key, package, is_draft in story:
            new = drafted(key, package) if is_draft else gate(key, package)
            for log in (adapters.log, alone.log):
                log.commit(commit(new))
            if chance.random() < 0.2:
                monkeypatch.setattr(projections, "_BATCH", chance.randrange(1, 9))
                Projector(alone.log, Counts()).catch_up()
        assert [process.wait(timeout=60) for process in crowd] == [0, 0]
        Projector(alone.log, Counts()).catch_up()
        rebuilt = open_store(tmp_path / "alone")
        kept = dict(alone.log.projection("counts"))
        assert len(kept) > 3 and self.rows(adapters) == kept
        spoil = ProjectionWrite(projection="counts", key="p0", value=b"spoilt")
        rebuilt.log.commit(Commit(projections=(spoil,)))
        Projector(rebuilt.log, Counts()).rebuild()
        assert dict(rebuilt.log.projection("counts")) == kept
        rebuilt.close()
        alone.close()

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

    def test_a_rebuild_that_somebody_overtakes_goes_on_from_there(self, adapters: SqliteAdapters):
        class Overtaken(Counts):
            def apply(self, envelope, rows):
                if not adapters.log.cursor("projection/counts"):
                    adapters.log.commit(commit(gate("2")))
                    Projector(adapters.log, Counts()).catch_up()
                return super().apply(envelope, rows)

        adapters.log.commit(commit(gate("1")))
        assert Projector(adapters.log, Overtaken()).rebuild() == 2
        assert self.rows(adapters) == {"p": b"2"}

    def test_a_fold_that_is_overtaken_between_reading_and_writing_starts_again(self, adapters):
        class Slow(Counts):
            overtaken = False

            def apply(self, envelope, rows):
                changes = super().apply(envelope, rows)
                if not self.overtaken:
                    self.overtaken = True
                    Projector(adapters.log, Counts()).catch_up()
                return changes

        adapters.log.commit(commit(gate("1"), gate("2")))
        assert Projector(adapters.log, Slow()).catch_up() == 2
        assert self.rows(adapters) == {"p": b"2"}


class TestParking(OnSqlite):
    def test_what_cannot_be_folded_parks_with_its_error_and_keeps_what_was_right(self, adapters):
        bad = gate("2", "bad")
        adapters.log.commit(commit(gate("1")))
        adapters.log.commit(commit(bad))
        adapters.log.commit(commit(gate("3")))
        projector = Projector(adapters.log, Choosy())
        assert projector.catch_up() == projector.catch_up() == 1
        state = projector.state()
        assert (state.position, state.lag) == (1, 2) and state.parked is not None
        assert state.parked.event == bad.id and state.parked.position == 1
        assert state.parked.error == "ValueError: no such package"
        assert dict(projector.rows()) == {"p": b"1"}

    def test_a_rebuild_that_can_fold_it_takes_it_out_of_parking(self, adapters):
        adapters.log.commit(commit(gate("1", "bad")))
        adapters.log.commit(commit(gate("2")))
        assert Projector(adapters.log, Choosy()).catch_up() == 0
        assert Projector(adapters.log, Choosy()).rebuild() == 0
        assert Projector(adapters.log, Choosy()).state().parked is not None
        mended = Projector(adapters.log, Counts())
        assert mended.catch_up() == 0, "only a rebuild sets it going"
        assert mended.rebuild() == 2 and mended.state().parked is None
        adapters.log.commit(commit(gate("3")))
        assert mended.catch_up() == 3
        assert dict(mended.rows()) == {"bad": b"1", "p": b"2"}

    def test_an_event_of_a_schema_that_this_code_does_not_know_parks(self, adapters):
        class Typed(Counts):
            def apply(self, envelope, rows):
                assert envelope.fact
                return super().apply(envelope, rows)

        event = gate("1")
        newer = event.fact.model_copy(update={"schema_version": 99})
        adapters.log.commit(commit(event.model_copy(update={"fact": newer})))
        projector = Projector(adapters.log, Typed())
        assert projector.catch_up() == 0
        parked = projector.state().parked
        assert parked is not None and "UnknownSchemaError" in parked.error and parked.event

    def test_a_database_that_is_away_parks_nothing(self, adapters, monkeypatch):
        adapters.log.commit(commit(gate("1")))

        def away(*args, **options):
            raise InfrastructureError("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(adapters.log, "read_all", away)
            with pytest.raises(InfrastructureError):
                Projector(adapters.log, Counts()).catch_up()
        assert adapters.log.projection_row(PARKED, "counts") is None
        assert Projector(adapters.log, Counts()).catch_up() == 1

    def test_parking_is_refused_where_somebody_was_quicker(self, adapters):
        adapters.log.commit(commit(gate("1", "bad")))
        move = CursorMove(name="projection/counts", expected=0, position=1)

        class Overtaken(Choosy):
            def apply(self, envelope, rows):
                adapters.log.commit(Commit(cursor=move))
                return super().apply(envelope, rows)

        assert Projector(adapters.log, Overtaken()).catch_up() == 1
        assert adapters.log.projection_row(PARKED, "counts") is None
        with pytest.raises(ConcurrencyError):
            adapters.log.commit(Commit(cursor=move))


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

    def test_it_looks_a_row_up_once(self):
        looked = []
        rows = ProjectionRows(Counts(), lambda key: looked.append(key) or encode(1))
        assert rows.get("a") == rows.get("a") == b"1" and looked == ["a"]
        rows.forget(1)
        assert rows.get("a") == b"1" and looked == ["a"]
        rows.forget(0)
        assert rows.get("a") == b"1" and looked == ["a", "a"]
