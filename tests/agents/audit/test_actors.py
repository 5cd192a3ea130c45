"""Actors: each kind of event has one writer, and the audit tells who did what."""

import pytest

from envwright.agents.audit.actors import Actors
from envwright.events.catalog import GateEvaluated, RunPaused, VerdictReached, WorkClaimed
from support.audited_events import places


def test_a_run_as_it_should_be_has_no_failure(scroll):
    scroll.write()
    actors = Actors()
    scroll.show(actors)
    assert (actors.check.checked, actors.check.failed) == (scroll.log.head(), 0)
    told = {row["role"]: row for row in actors.report()}
    assert list(told) == [
        "planner", "builder", "tester", "critic", "solver", "judge", "operator", "system",
    ]  # fmt: skip
    assert told["tester"]["types"] == {"gate.evaluated": 3, "testing.completed": 1}
    assert sum(row["events"] for row in told.values()) == scroll.log.head()


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        (GateEvaluated, "builder"),
        (GateEvaluated, "system"),
        (VerdictReached, "solver"),
        (VerdictReached, "operator"),
        (WorkClaimed, "judge"),
        (GateEvaluated, "somebody"),
    ],
)
def test_an_event_by_another_role_is_named(scroll, kind, role):
    scroll.write(lambda fact, said_by: (fact, role if isinstance(fact, kind) else said_by))
    actors = Actors()
    scroll.show(actors)
    name = kind.model_fields["type"].default
    assert places(actors.check.failures) == [event.position for event in scroll.events(name)]
    assert actors.check.failures[0].found == f"by {role}"


@pytest.mark.parametrize(("gating", "failed"), [(True, 2), (False, 0)])
def test_a_person_may_order_trials_but_none_that_admission_rests_on(scroll, gating, failed):
    def change(fact, role):
        if fact.type in ("trial.opened", "attempt.requested"):
            return fact.model_copy(update={"gating": gating}), "operator"
        return fact, role

    scroll.write(change)
    actors = Actors()
    scroll.show(actors)
    assert actors.check.failed == failed


def test_a_pause_is_said_by_a_person_or_the_machinery(scroll):
    writer = scroll.writer()
    for role in ("operator", "system", "planner"):
        writer.say(role, RunPaused(run="run-1", cause="user"))
    writer.commit()
    actors = Actors()
    scroll.show(actors)
    assert places(actors.check.failures) == [3]
