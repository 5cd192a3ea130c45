"""Where the time of a run went, as its events measured it."""

from types import SimpleNamespace
from typing import Any

from envwright.agents.stages import StageTimes


def event(id: str, type: str, role: str, cause: str | None, seconds: float | None) -> Any:
    """Return the part of an event that is folded."""
    metrics = {} if seconds is None else {"seconds": seconds}
    actor = SimpleNamespace(role=role)
    return SimpleNamespace(id=id, type=type, actor=actor, causation_id=cause, metrics=metrics)


def test_events_of_one_piece_of_work_count_once_with_the_last_moment():
    times = StageTimes()
    times.apply(event("e1", "package.drafted", "builder", "b1", 0.5))
    times.apply(event("e2", "gate.evaluated", "tester", "e1", 1.0))
    times.apply(event("e3", "testing.completed", "tester", "e1", 1.5))
    assert times.report() == [
        {"stage": "build", "works": 1, "seconds": 0.5, "longest": 0.5},
        {"stage": "test", "works": 1, "seconds": 1.5, "longest": 1.5},
    ]


def test_reading_the_sources_is_a_stage_of_its_own():
    times = StageTimes()
    times.apply(event("r", "run.requested", "operator", None, None))
    times.apply(event("s", "run.started", "planner", "r", 3.0))
    times.apply(event("o", "round.opened", "planner", "x", 0.1))
    assert [row["stage"] for row in times.report()] == ["read and mine", "plan"]


def test_what_no_role_did_has_no_stage():
    times = StageTimes()
    times.apply(event("c", "work.claimed", "system", "r", 1.0))
    assert times.report() == []
