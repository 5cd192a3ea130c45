"""The report: all checks together, over a run or a home, anchored or not."""

import json
import tracemalloc

import pytest

from envwright.agents.audit import Question, audit
from envwright.agents.audit.report import audit as judge
from support.sealed_home import SealedHome
from support.store_tampering import flip, tampering

CHECKS = {
    "positions", "checkpoints", "anchors", "chains", "artifacts", "reading", "roles", "causality",
    "effects", "claims", "admissions",
}  # fmt: skip


@pytest.fixture
def home(tmp_path):
    home = SealedHome(tmp_path)
    home.write("run-1")
    home.seal()
    home.write("run-2")
    yield home
    home.close()


def report(home: SealedHome, **question: object) -> dict:
    return audit(home.store.log, home.gather(), Question(**question))


def test_a_sound_home_has_every_check_and_is_ok(home):
    found = report(home)
    assert found["ok"] and set(found["checks"]) == CHECKS
    assert all(check["checked"] for check in found["checks"].values())
    assert found["run"] is None and found["events"] == found["head"] == home.store.log.head()
    assert found["unanchored"] == found["head"] - found["anchored_to"] > 0
    assert [row["run"] for row in found["admissions"]] == ["run-1"] * 2 + ["run-2"] * 2
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize(("run", "unanchored"), [("run-1", 0), ("run-2", 67)])
def test_a_run_is_judged_by_its_own_events_on_the_whole_log(home, run, unanchored):
    found = report(home, run=run)
    assert found["ok"] and found["run"] == run
    assert (found["events"], found["unanchored"]) == (67, unanchored)
    assert found["checks"]["chains"]["checked"] == home.store.log.head()
    assert {row["run"] for row in found["admissions"]} == {run}


@pytest.mark.parametrize("run", ["run-1", "run-2", None])
def test_what_is_not_anchored_fails_only_where_anchors_are_required(home, run):
    found = report(home, run=run, require_anchored=True)
    assert found["ok"] == found["checks"]["anchored"]["ok"] == (run == "run-1")


def test_a_failure_names_event_position_and_what_was_found(home):
    with tampering(home.home) as raw:
        flip(raw, "payloads", "body", 9, 30)
    found = report(home)
    (failure,) = found["checks"]["chains"]["failures"]
    assert not found["ok"] and failure["position"] == 9
    assert set(failure) == {"event", "position", "expected", "found"}


def test_memory_does_not_grow_with_the_log(tmp_path, monkeypatch):
    """What is remembered has limits; here they are low, so that both logs reach them."""
    monkeypatch.setattr("envwright.agents.audit.causality._REMEMBERED", 200)
    monkeypatch.setattr("envwright.agents.audit.spending._REMEMBERED", 20)
    monkeypatch.setattr("envwright.agents.audit.claims._PENDING", 5)
    monkeypatch.setattr("envwright.agents.audit.admissions.LISTED", 5)
    monkeypatch.setattr("envwright.agents.audit.timeline._POINTS", 5)
    peaks = []
    for packages in (30, 120):
        home = SealedHome(tmp_path / str(packages))
        home.write(packages=packages)
        gathered = home.gather()
        tracemalloc.start()
        judge(home.store.log, gathered, Question())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        home.close()
    assert peaks[1] < 1.15 * peaks[0]
