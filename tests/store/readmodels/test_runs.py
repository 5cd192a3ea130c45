"""The list of runs: status, counts, and what a fork takes over."""

import pytest

from envwright.events.catalog import (
    PackageAdmitted,
    PackageRejected,
    RoundOpened,
    RunCompleted,
    RunFailed,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
)
from envwright.events.values import ArtifactRef, RunSettings, SourceRef
from envwright.store.readmodels import Runs
from support.facts import recorded
from support.folded import folded

SETTINGS = RunSettings(recipe="toolspace", count=5, seed=3)
SOURCE = SourceRef(name="log.json", artifact=ArtifactRef(digest="0" * 64, size=1))
REQUESTED = RunRequested(run="r", settings=SETTINGS, sources=(SOURCE,))
OPENED = RoundOpened(run="r", round=1, slots=10)


def admitted(number: int) -> PackageAdmitted:
    return PackageAdmitted(
        run="r", package=f"p{number}", revision="x", round=1, ordinal=number, number=number
    )


COMPLETED = RunCompleted(run="r", admitted=1, requested=5, shortfall=4, reason="dry_round")
PAUSED, RESUMED = RunPaused(run="r", cause="user"), RunResumed(run="r")


@pytest.mark.parametrize(
    ("facts", "status", "count"),
    [
        ([], "requested", 0),
        ([OPENED], "running", 0),
        ([OPENED, admitted(1), admitted(2)], "running", 2),
        ([OPENED, PAUSED], "paused", 0),
        ([PAUSED, RESUMED], "requested", 0),
        ([OPENED, PAUSED, RESUMED], "running", 0),
        ([PAUSED, OPENED], "paused", 0),
        ([OPENED, admitted(1), COMPLETED], "completed", 1),
        ([OPENED, COMPLETED, PAUSED, RESUMED], "completed", 0),
        ([RunFailed(run="r", reason="x"), PAUSED], "failed", 0),
    ],
)
def test_a_run_has_its_status_and_counts(facts, status, count):
    row = folded(Runs(), [REQUESTED, *facts])["r"]
    assert (row["status"], row["admitted"]) == (status, count)
    assert (row["recipe"], row["seed"], row["requested"]) == ("toolspace", 3, 5)
    assert row["sources"] == ["log.json"] and row["position"] == 1 and row["origin"] is None


def test_rejections_are_counted():
    lost = PackageRejected(run="r", package="p", round=1, ordinal=2, reason="surplus")
    assert folded(Runs(), [REQUESTED, OPENED, lost])["r"]["rejected"] == 1


def forked(fact: RunForked) -> dict[str, object]:
    origin, fork = recorded([REQUESTED, fact])
    envelopes = [origin, fork.model_copy(update={"run_id": "f"})]
    return dict(folded(Runs(), envelopes)["f"])


def test_a_fork_says_what_it_asks_for_and_where_it_comes_from():
    settings = SETTINGS.model_copy(update={"count": 2})
    row = forked(RunForked(run="f", origin="r", at=1, settings=settings, sources=(SOURCE,)))
    assert (row["origin"], row["requested"], row["sources"]) == ("r", 2, ["log.json"])


def test_a_fork_that_says_nothing_has_what_its_origin_asked_for():
    row = forked(RunForked(run="f", origin="r", at=1))
    assert (row["origin"], row["recipe"], row["requested"]) == ("r", "toolspace", 5)
    assert row["admitted"] == 0
