"""The list of runs."""

import json

import pytest

from envwright.events.catalog import (
    PackageAdmitted,
    RunCompleted,
    RunFailed,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
    RunStarted,
)
from envwright.events.values import ArtifactRef, RunSettings
from envwright.store import Projector, RunList
from support.store_adapters import OnSqlite, SqliteAdapters
from support.store_events import commit, event

PROFILE = ArtifactRef(digest="0" * 64, size=1)


def requested(run: str) -> RunRequested:
    return RunRequested(run=run, settings=RunSettings(recipe="toolspace", count=5), sources=())


def started(run: str) -> RunStarted:
    return RunStarted(run=run, recipe="toolspace", recipe_version="1", sources=(), profile=PROFILE)


def admitted(run: str, number: int) -> PackageAdmitted:
    return PackageAdmitted(
        run=run, package=f"p{number}", revision="r", round=1, ordinal=number, number=number
    )


def completed(run: str) -> RunCompleted:
    return RunCompleted(run=run, admitted=2, requested=5, shortfall=3, reason="dry_round")


class TestRunList(OnSqlite):
    def rows(self, adapters: SqliteAdapters) -> dict[str, dict[str, object]]:
        projector = Projector(adapters.log, RunList())
        projector.catch_up()
        return {key: json.loads(value) for key, value in projector.rows()}

    def record(self, adapters: SqliteAdapters, *facts) -> None:
        for fact in facts:
            key = f"{fact.run}/{adapters.log.head()}"
            adapters.log.commit(commit(event(fact, key, run=fact.run)))

    @pytest.mark.parametrize(
        ("facts", "status", "count"),
        [
            ([], "requested", 0),
            ([started("r")], "running", 0),
            ([started("r"), admitted("r", 1), admitted("r", 2)], "running", 2),
            ([started("r"), RunPaused(run="r", cause="user")], "paused", 0),
            ([RunPaused(run="r", cause="user"), RunResumed(run="r")], "running", 0),
            ([started("r"), admitted("r", 1), completed("r")], "completed", 1),
            ([RunFailed(run="r", reason="x")], "failed", 0),
        ],
    )
    def test_a_run_has_its_status_and_counts(self, adapters, facts, status, count):
        self.record(adapters, requested("r"), *facts)
        assert self.rows(adapters)["r"] == {
            "run": "r",
            "recipe": "toolspace",
            "status": status,
            "requested": 5,
            "admitted": count,
            "position": 1,
        }

    def test_a_fork_has_what_its_origin_asked_for(self, adapters: SqliteAdapters):
        self.record(
            adapters, requested("r"), admitted("r", 1), RunForked(run="f", origin="r", at=2)
        )
        fork = self.rows(adapters)["f"]
        assert (fork["recipe"], fork["requested"], fork["admitted"]) == ("toolspace", 5, 0)

    def test_runs_are_listed_in_the_order_they_were_asked_for(self, adapters: SqliteAdapters):
        self.record(adapters, requested("z"), requested("a"))
        assert [row["run"] for row in adapters.store.runs()] == ["z", "a"]
        before = dict(adapters.log.projection("runs"))
        Projector(adapters.log, RunList()).rebuild()
        assert dict(adapters.log.projection("runs")) == before
