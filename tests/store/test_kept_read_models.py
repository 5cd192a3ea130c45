"""The kept read models: all of them, one by one, parked or not."""

import pytest

from envwright.events.catalog import RunRequested
from envwright.events.errors import BadInputError
from envwright.events.ports import ReadModels
from envwright.events.values import RunSettings
from envwright.store import READ_MODELS, KeptReadModels
from support.counting import Choosy, Counts
from support.store_adapters import OnSqlite
from support.store_events import commit, event, gate


class Others(Counts):
    """Counts under another name."""

    name = "others"


def requested(run: str):
    settings = RunSettings(recipe="toolspace", count=1)
    return commit(event(RunRequested(run=run, settings=settings, sources=()), run, run=run))


class TestKeptReadModels(OnSqlite):
    def test_the_embedded_home_has_them_all(self, adapters):
        models: ReadModels = adapters.store.read_models
        assert models.names == tuple(sorted(each.name for each in READ_MODELS))
        assert "run-list" in models.names and len(models.names) == 7

    def test_rows_are_caught_up_and_read_by_prefix(self, adapters):
        models = KeptReadModels(adapters.log)
        for run in ("run-1", "run-10", "run-2"):
            adapters.log.commit(requested(run))
        assert [row["run"] for row in models.rows("run-list")] == ["run-1", "run-10", "run-2"]
        assert [row["run"] for row in models.rows("run-list", prefix="run-1")] == [
            "run-1",
            "run-10",
        ]
        assert list(models.rows("run-list", prefix="run-3")) == []

    def test_one_that_parks_does_not_stop_the_others(self, adapters):
        models = KeptReadModels(adapters.log, [Choosy(), Others()])
        adapters.log.commit(commit(gate("1")))
        adapters.log.commit(commit(gate("2", "bad")))
        assert models.catch_up() == 2
        adapters.log.commit(commit(gate("3")))
        assert models.catch_up() == 3
        choosy, others = models.states()
        assert (choosy.position, choosy.lag) == (1, 2)
        assert choosy.parked is not None and "no such package" in choosy.parked.error
        assert (others.position, others.lag, others.parked) == (3, 0, None)
        assert KeptReadModels(adapters.log, [Counts()]).rebuild("counts").parked is None

    def test_a_name_that_nobody_has_is_refused_with_those_that_there_are(self, adapters):
        models = adapters.store.read_models
        with pytest.raises(BadInputError, match=r"'lists'.*costs, gates"):
            models.rows("lists")
        with pytest.raises(BadInputError):
            models.rebuild("lists")

    def test_a_follower_keeps_them_current(self, adapters):
        with adapters.store.read_models.follow() as following:
            adapters.log.commit(requested("run-1"))
            following.wake()
            assert following.wait_for(1, timeout=20)
            assert adapters.log.projection_row("run-list", "run-1")
