"""How far a run is."""

import pytest

from envwright.console import progress
from envwright.console.progress import LineScreen, LiveScreen, Pace, Progress, StageCounts, describe
from envwright.events.catalog import (
    BriefPlanned,
    Fact,
    PackageAdmitted,
    PackageCandidate,
    RoundOpened,
    RunStarted,
)
from envwright.events.values import ArtifactRef, Brief
from support.command_line import Finished
from support.facts import recorded

STARTED = RunStarted(
    run="r",
    recipe="desk",
    recipe_version="1",
    sources=(),
    profile=ArtifactRef(digest="d", size=1),
)
OPENED = RoundOpened(run="r", round=1, slots=2)
ADMITTED = PackageAdmitted(run="r", package="p", revision="d", round=1, ordinal=1, number=1)


def candidate(package: str, *, ok: bool) -> PackageCandidate:
    """Return a candidate."""
    return PackageCandidate(package=package, run="r", round=1, ordinal=1, ok=ok)


def brief(package: str) -> BriefPlanned:
    """Return a brief."""
    plain = Brief(
        package=package,
        recipe="desk",
        recipe_version="1",
        round=1,
        ordinal=1,
        content_seed="s",
    )
    return BriefPlanned(run="r", brief=plain)


def counted(*facts: Fact) -> StageCounts:
    """Count facts."""
    counts = StageCounts(requested=4)
    for envelope in recorded(facts):
        counts.apply(envelope)
    return counts


def test_stages_are_counted_from_events() -> None:
    counts = counted(STARTED, OPENED, brief("p"), candidate("p", ok=True), ADMITTED)
    stages = dict(counts.stages())
    assert list(stages)[0] == "briefs" and list(stages)[-1] == "admitted"
    assert (stages["briefs"], stages["candidates"], stages["admitted"]) == ("1", "1", "1/4")
    assert counts.position == 5


def test_the_phase_says_what_the_run_is_about() -> None:
    assert counted().phase == "reading sources"
    assert counted(STARTED).phase == "planning"
    assert counted(STARTED, OPENED).phase == "round 1"


def test_rate_and_time_left_come_from_candidates_and_their_share_of_good_ones() -> None:
    pace = Pace()
    assert pace.rate(counted(STARTED, OPENED), now=100.0) is None
    later = counted(STARTED, OPENED, candidate("p", ok=True), candidate("q", ok=False))
    assert pace.rate(later, now=160.0) == 2.0
    # Three more are missing, one in two is good: six more at two a minute.
    assert pace.seconds_left(later, now=160.0) == 180.0
    assert describe(later, pace, now=160.0) == "2.0 candidates/min, about 3 min 0 s left"


def test_nothing_is_said_of_the_time_left_while_nothing_tells() -> None:
    pace = Pace()
    bad = counted(STARTED, OPENED, candidate("p", ok=False))
    pace.rate(counted(STARTED, OPENED), now=0.0)
    assert describe(counted(STARTED, OPENED), pace, now=60.0) == ""
    assert describe(bad, pace, now=60.0) == "1.0 candidates/min"


def test_a_resumed_run_counts_its_rate_from_where_it_is() -> None:
    pace = Pace()
    before = counted(STARTED, OPENED, candidate("p", ok=True))
    assert pace.rate(before, now=0.0) is None
    after = counted(STARTED, OPENED, candidate("p", ok=True), candidate("q", ok=True))
    assert pace.rate(after, now=60.0) == 1.0


@pytest.mark.parametrize(
    ("seconds", "text"), [(5, "5 s"), (60, "1 min 0 s"), (3600, "1 h 0 min"), (7262, "2 h 1 min")]
)
def test_spans_are_readable(seconds: float, text: str) -> None:
    assert progress._span(seconds) == text


def test_plain_lines_are_seconds_apart_and_only_where_something_changed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    screen, pace = LineScreen(), Pace()
    for second, counts in (
        (1.0, counted()),
        (4.0, counted(STARTED)),
        (5.0, counted(STARTED, OPENED)),
        (9.0, counted(STARTED, OPENED, brief("p"))),
        (13.0, counted(STARTED, OPENED, brief("p"))),
    ):
        now[0] = second
        screen.show(counts, pace)
    screen.close()
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["4 s  planning", "9 s  round 1"]
    assert "briefs 1" in lines[1] and "admitted 0/4" in lines[1]


def test_a_terminal_is_redrawn(capsys: pytest.CaptureFixture[str]) -> None:
    screen = LiveScreen()
    screen.show(counted(STARTED, OPENED, brief("p")), Pace())
    screen.close()
    assert capsys.readouterr().out == ""


def test_progress_follows_the_log(finished: Finished) -> None:
    with finished.runtime() as runtime, Progress(runtime, finished.run) as shown:
        shown.refresh()
        shown.refresh()
        assert dict(shown._counts.stages())["admitted"] == "2/2"
