"""The timeline: every event in a slot of its role, in a bounded number of slots."""

from datetime import UTC, datetime, timedelta

import pytest

from envwright.agents.audit.timeline import SLOTS, Timeline
from envwright.events.catalog import RoundOpened, RunPaused
from support.facts import recorded

START = datetime(2026, 1, 1, tzinfo=UTC)


def at(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")


def seen(*times: float | str) -> Timeline:
    timeline = Timeline()
    events = recorded(RoundOpened(run="r", round=n, slots=1) for n in range(1, len(times) + 1))
    for event, time in zip(events, times, strict=True):
        when = time if isinstance(time, str) else at(time)
        timeline.see(event.model_copy(update={"recorded_at": when}))
    return timeline


@pytest.mark.parametrize("last", [0.0, 0.4, 7.0, 3600.0, 1e7])
def test_however_long_a_run_takes_its_timeline_is_short(last):
    times = [0.0, last / 3, last / 2, last]
    report = seen(*times).report()
    (counts,) = report["roles"].values()
    assert sum(counts) == 4 and len(counts) <= SLOTS
    assert report["seconds"] == pytest.approx(last)
    assert counts[-1] >= 1 and counts[0] >= 1
    assert len(counts) * report["slot_seconds"] > last
    assert (report["from"], report["to"]) == (at(0), at(last))


def test_widening_keeps_each_event_where_it_was():
    fine = seen(0.0, 1.0, 2.0, 5.9)
    coarse = seen(0.0, 1.0, 2.0, 5.9, 600.0)
    width = coarse.width
    (counts,) = coarse.report()["roles"].values()
    assert fine.width < width and counts[0] == sum(t < width for t in (0.0, 1.0, 2.0, 5.9))


def test_a_clock_that_steps_back_or_cannot_be_read_stops_nothing():
    report = seen(5.0, 1.0, "yesterday", 6.0).report()
    (counts,) = report["roles"].values()
    assert sum(counts) == 3 and counts[0] == 2
    assert [point["seconds"] for point in report["points"]] == [0.0, 0.0, 1.0]


def test_turning_points_say_what_they_are_about():
    timeline = Timeline()
    opened = RoundOpened(run="r", round=3, slots=1)
    paused = RunPaused(run="r", cause="user")
    for event in recorded([opened, paused]):
        timeline.see(event)
    points = timeline.report()["points"]
    assert [(p["type"], p["about"]) for p in points] == [
        ("round.opened", "round 3"), ("run.paused", "cause user"),
    ]  # fmt: skip


def test_turning_points_past_a_limit_are_counted():
    report = seen(*[0.001 * number for number in range(450)]).report()
    assert len(report["points"]) == 400 and report["points_not_listed"] == 50


def test_nothing_has_no_timeline():
    assert Timeline().report()["roles"] == {}
