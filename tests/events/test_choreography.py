"""The choreography is the plan's table: cause, role, what it writes."""

import pytest

from envwright.events import FACTS, ROLES, WRITERS, roles_for, scope_of, work_topic
from envwright.events.choreography import EVENTS_TOPIC

RINGS = {
    "run.requested": ("planner",),
    "run.forked": ("planner",),
    "brief.planned": ("builder",),
    "repair.requested": ("builder",),
    "package.drafted": ("tester",),
    "package.revised": ("tester",),
    "testing.completed": ("critic",),
    "review.completed": ("judge",),
    "package.abandoned": ("judge",),
    "attempt.requested": ("solver",),
    "attempt.finished": ("judge",),
    "package.candidate": ("judge",),
    "package.inherited": ("judge",),
    "round.settled": ("planner",),
}

WRITES = {
    "planner": "brief.planned package.inherited round.opened run.completed run.failed run.started"
    " source.ingested source.profiled",
    "builder": "package.abandoned package.drafted package.revised",
    "tester": "gate.evaluated testing.completed",
    "critic": "repair.requested review.completed",
    "solver": "attempt.finished attempt.started turn.taken",
    "judge": "attempt.requested package.admitted package.candidate package.rejected round.settled"
    " trial.closed trial.opened verdict.reached",
}


def test_the_doorbells_are_the_plans():
    assert {name: roles_for(name) for name in FACTS if roles_for(name)} == RINGS


def test_each_role_writes_what_the_plan_says():
    writes = {role: " ".join(sorted(t for t, w in WRITERS.items() if w == role)) for role in ROLES}
    assert writes == WRITES


def test_every_type_that_is_answered_or_written_is_in_the_catalog():
    assert {name for types in ROLES.values() for name in types} <= set(FACTS)
    assert set(WRITERS) <= set(FACTS)
    assert set(WRITERS.values()) == set(ROLES)


def test_no_role_answers_one_type_twice():
    for types in ROLES.values():
        assert len(types) == len(set(types))


def test_topics_are_versioned():
    assert EVENTS_TOPIC == "envwright.events.v1"
    assert work_topic("tester") == "envwright.work.tester.v1"


@pytest.mark.parametrize("name", sorted(FACTS))
def test_only_admission_is_one_claim_per_run(name):
    scope = "admission/run-1" if name in ("package.candidate", "package.inherited") else None
    assert scope_of(name, "run-1") == scope
