"""The state of a run, folded from its own stream."""

from envwright.agents.slots import asked_for, fold_run
from envwright.events.catalog import (
    PackageAdmitted,
    PackageInherited,
    PackageRejected,
    RoundOpened,
    RunCompleted,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
)
from envwright.events.values import Brief, RunSettings
from support.facts import recorded

REQUESTED = RunRequested(run="r", settings=RunSettings(recipe="toolspace", count=1), sources=())
OPENED = RoundOpened(run="r", round=1, slots=2)
ADMITTED = PackageAdmitted(
    run="r", package="p1", revision="d", round=1, ordinal=1, number=1, fingerprint=("k",)
)
REJECTED = PackageRejected(run="r", package="p2", round=1, ordinal=2, reason="surplus")


def test_a_run_is_requested_then_running_then_completed() -> None:
    completed = RunCompleted(run="r", admitted=1, requested=1, shortfall=0, reason="enough")
    facts = [REQUESTED, OPENED, ADMITTED, completed]
    statuses = [fold_run(recorded(facts[:count])).status for count in range(1, 5)]
    assert statuses == ["requested", "running", "running", "completed"]


def test_a_pause_lasts_until_the_resume() -> None:
    paused = [REQUESTED, OPENED, RunPaused(run="r", cause="user")]
    assert fold_run(recorded(paused)).status == "paused"
    assert fold_run(recorded([*paused, RunResumed(run="r")])).status == "running"


def test_a_run_that_is_over_stays_over_whatever_is_said_later() -> None:
    completed = RunCompleted(run="r", admitted=1, requested=1, shortfall=0, reason="enough")
    late = [RunPaused(run="r", cause="interrupted"), RunResumed(run="r")]
    facts = [REQUESTED, OPENED, ADMITTED, completed, *late]
    assert [fold_run(recorded(facts[:count])).status for count in (5, 6)] == ["completed"] * 2


def test_admitted_and_rejected_slots_are_settled_and_their_keys_are_known() -> None:
    state = fold_run(recorded([REQUESTED, OPENED, ADMITTED, REJECTED]))
    assert state.settled("p1")
    assert state.settled("p2")
    assert not state.settled("p3")
    assert state.keys == {"k"}


def test_a_round_that_opens_during_a_pause_does_not_end_it() -> None:
    second = RoundOpened(run="r", round=2, slots=3)
    paused = [REQUESTED, OPENED, RunPaused(run="r", cause="infrastructure"), second]
    state = fold_run(recorded(paused))
    assert (state.status, state.round, state.slots) == ("paused", 2, 3)
    assert fold_run(recorded([*paused, RunResumed(run="r")])).status == "running"


def test_a_run_that_is_resumed_before_its_first_round_is_requested_again() -> None:
    state = fold_run(recorded([REQUESTED, RunPaused(run="r", cause="user"), RunResumed(run="r")]))
    assert state.status == "requested"


def test_an_earlier_state_does_not_change_with_a_later_one() -> None:
    events = recorded([REQUESTED, OPENED, ADMITTED, REJECTED])
    early = fold_run(events[:2])
    late = early.after(events[2:])
    assert not early.outcomes and not early.admitted and not early.settled("p1")
    assert len(late.outcomes) == 2 and late.settled("p2")


def test_a_run_that_was_never_requested_retries_as_by_default() -> None:
    assert fold_run([]).status == "unknown"
    assert fold_run([]).max_retries == 3


def test_a_forked_run_asks_for_what_its_fork_says() -> None:
    settings = RunSettings(recipe="desk", count=9)
    fork = RunForked(run="r", origin="o", at=7, settings=settings, novel_against=("n",))
    state = fold_run(recorded([fork]))
    assert (state.status, state.forked) == ("requested", fork)
    assert state.requested is not None
    assert (
        state.requested
        == asked_for(fork)
        == RunRequested(run="r", settings=settings, sources=(), novel_against=("n",))
    )
    assert fold_run(recorded([REQUESTED])).forked is None
    assert asked_for(RunForked(run="r", origin="o", at=7)) is asked_for(OPENED) is None


def test_an_inherited_slot_has_its_brief_and_is_not_settled_yet() -> None:
    brief = Brief(
        package="p1", recipe="desk", recipe_version="1", round=1, ordinal=1, content_seed="s"
    )
    inherited = PackageInherited(
        run="r",
        package="p1",
        round=1,
        ordinal=1,
        brief=brief,
        ok=True,
        outcome="admitted",
        origin_run="o",
        event="e",
    )
    early = fold_run(recorded([REQUESTED, OPENED]))
    late = early.after(recorded([inherited]))
    assert late.briefs == {(1, 1): brief} and late.inherited == {(1, 1): inherited}
    assert not late.settled("p1") and not early.inherited
