"""State replay: what it compares, and the event that it names at a divergence."""

import sqlite3

import pytest

from envwright.events import payload_reference
from envwright.events.catalog import EffectCompleted, RunRequested, SourceIngested
from envwright.events.ports import Commit, ProjectionWrite
from envwright.events.values import RunSettings, SourceRef
from envwright.store.replay import Replayed
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import commit, event, gate
from support.store_tampering import flip, tampering


class TestStateReplay(OnSqlite):
    @pytest.fixture
    def ids(self, adapters: SqliteAdapters) -> list[str]:
        """Two runs that share a source, with artifacts named at two depths and a large body."""
        source = adapters.artifacts.put(b"source")
        large = {"text": "x" * 100_000, "inner": adapters.artifacts.put(b"inner").model_dump()}
        ingested = SourceIngested(
            source=source.digest, name="s", artifact=source, format="f", records=1
        )
        for run in ("run-1", "run-2"):
            settings = RunSettings(recipe="toolspace", count=1)
            asked = RunRequested(
                run=run, settings=settings, sources=(SourceRef(name="s", artifact=source),)
            )
            done = EffectCompleted(work=f"wrk-{run}", key=run, ok=True, result=large)
            for fact in (asked, ingested, done):
                key = f"{run}/{fact.type}"
                adapters.log.commit(commit(event(fact, key, run=run)))
            adapters.log.commit(commit(gate(run, f"p-{run}", run=run)))
        adapters.store.read_models.catch_up()
        return [envelope.id for envelope in adapters.log.read_all()]

    def test_a_sound_log_has_no_divergence(self, adapters: SqliteAdapters, ids):
        whole, one = adapters.store.replay(), adapters.store.replay("run-1")
        assert (whole.compared, one.compared) == (8, 4)
        assert whole.diverged is one.diverged is None
        assert adapters.store.replay() == whole
        assert set(whole.digests) == set(adapters.store.read_models.names)

    def test_an_empty_log_and_an_unknown_run_compare_nothing(self, adapters: SqliteAdapters):
        assert adapters.store.replay().compared == adapters.store.replay("none").compared == 0

    @pytest.mark.parametrize(
        ("position", "in_run"), [(3, "run-1"), (4, "run-1"), (5, "run-2"), (8, "run-2")]
    )
    def test_one_bit_of_a_payload_is_found_in_its_run(
        self, adapters: SqliteAdapters, ids, position, in_run
    ):
        with tampering(adapters.home) as raw:
            flip(raw, "payloads", "body", position, 20)
        whole = adapters.store.replay()
        assert whole.diverged is not None and whole.diverged.event == ids[position - 1]
        assert whole.compared == position - 1
        assert adapters.store.replay(in_run).diverged == whole.diverged
        other = {"run-1": "run-2", "run-2": "run-1"}[in_run]
        assert adapters.store.replay(other).diverged is None

    @pytest.mark.parametrize(("data", "position"), [(b"source", 1), (b"inner", 3)])
    def test_an_altered_artifact_is_named_by_the_first_event_that_names_it(
        self, adapters: SqliteAdapters, ids, data, position
    ):
        digest = adapters.artifacts.put(data).digest
        place = adapters.home / "artifacts" / digest[:2] / digest[2:]
        place.write_bytes(data[:-1] + b"!")
        for run, at in ((None, position), ("run-1", position), ("run-2", position + 4)):
            diverged = adapters.store.replay(run).diverged
            assert diverged is not None and diverged.event == ids[at - 1]
            assert diverged.expected == f"artifact {digest}"

    def test_a_large_body_that_is_gone_is_named(self, adapters: SqliteAdapters, ids):
        envelope = adapters.log.get(ids[2])
        assert envelope is not None
        reference = payload_reference(envelope.payload)
        assert reference is not None
        digest = reference.digest
        (adapters.home / "artifacts" / digest[:2] / digest[2:]).unlink()
        diverged = adapters.store.replay().diverged
        assert diverged is not None and diverged.event == ids[2]

    def test_a_hole_is_found_whatever_is_replayed(self, adapters: SqliteAdapters, ids):
        with tampering(adapters.home) as raw:
            raw.execute("DELETE FROM events WHERE position = 8")
        for run in (None, "run-1", "run-2"):
            diverged = adapters.store.replay(run).diverged
            assert diverged is not None and diverged.event == "position 8"

    @pytest.mark.parametrize("value", [b"{}", None])
    def test_a_projection_that_is_not_what_folds_is_named(
        self, adapters: SqliteAdapters, ids, value
    ):
        write = ProjectionWrite(projection="run-list", key="run-2", value=value)
        adapters.log.commit(Commit(projections=(write,)))
        diverged = adapters.store.replay().diverged
        assert diverged is not None and diverged.event == ids[4]
        assert diverged.expected.startswith('run-list[run-2] = {"admitted":0')
        assert adapters.store.replay("run-1").diverged is None
        assert adapters.store.replay("run-2").diverged == diverged

    def test_a_row_that_no_event_wrote_is_found(self, adapters: SqliteAdapters, ids):
        write = ProjectionWrite(projection="run-list", key="made up", value=b"{}")
        adapters.log.commit(Commit(projections=(write,)))
        diverged = adapters.store.replay().diverged
        assert diverged is not None and diverged.expected == "run-list[made up] = no row"

    def test_a_projection_that_lags_is_compared_where_it_stands(
        self, adapters: SqliteAdapters, ids
    ):
        settings = RunSettings(recipe="toolspace", count=9)
        later = RunRequested(run="run-3", settings=settings, sources=())
        adapters.log.commit(commit(event(later, "later", run="run-3")))
        assert adapters.store.replay().diverged is None
        assert adapters.store.replay("run-3").diverged is None

    def test_a_fact_that_does_not_fit_its_schema_is_named(self, adapters: SqliteAdapters, ids):
        settings = RunSettings(recipe="toolspace", count=1)
        strange = RunRequested(run="run-9", settings=settings, sources=()).model_copy(
            update={"novel_position": "not a number"}
        )
        with pytest.warns(UserWarning, match="novel_position"):
            adapters.log.commit(commit(event(strange, "strange", run="run-9")))
        diverged = adapters.store.replay().diverged
        assert diverged is not None and diverged.expected == "a fact of its type"

    def test_a_file_damaged_below_its_rows_is_a_divergence(self, adapters: SqliteAdapters, ids):
        adapters.close()
        path = adapters.home / "log.sqlite"
        raw = sqlite3.connect(path, isolation_level=None)
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'payloads'"
        page, size = raw.execute(query).fetchone()[0], raw.execute("PRAGMA page_size").fetchone()[0]
        raw.close()
        data = bytearray(path.read_bytes())
        data[(page - 1) * size : page * size] = b"\xff" * size
        path.write_bytes(data)
        again = SqliteAdapters(adapters.home)
        replayed = again.store.replay()
        again.close()
        assert isinstance(replayed, Replayed) and replayed.diverged is not None
        assert "damaged" in replayed.diverged.actual
