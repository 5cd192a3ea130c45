"""Grounds: everything that an admission rests on, and each way in which it may be missing."""

from typing import Any

import pytest

from envwright.agents.audit.grounds import Grounds
from envwright.events.catalog import (
    GateEvaluated,
    PackageCandidate,
    PackageDrafted,
    ReviewCompleted,
    TestingCompleted,
    TrialClosed,
    TrialOpened,
    VerdictReached,
)
from envwright.events.values import Verdict


def examined(scroll) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    (admitted,) = scroll.events("package.admitted")
    events = [(e, e.fact) for e in scroll.log.read(f"package/{admitted.data['package']}")]
    grounds = Grounds(admitted.data["revision"], admitted.position, events)
    return grounds.examine(), grounds.problems


def test_an_earned_admission_names_all_that_it_rests_on(scroll):
    scroll.write()
    found, problems = examined(scroll)
    assert problems == []
    assert [gate["gate"] for gate in found["gates"]] == [
        "executable", "reference_passes", "no_leak",
    ]  # fmt: skip
    for gate, event in zip(found["gates"], scroll.events("gate.evaluated"), strict=True):
        assert (gate["event"], gate["position"]) == (event.id, event.position)
    for part, kind in (
        ("made", "package.drafted"),
        ("testing", "testing.completed"),
        ("review", "review.completed"),
        ("candidate", "package.candidate"),
    ):
        (event,) = scroll.events(kind)
        assert found[part] == {"event": event.id, "position": event.position}
    (trial,) = found["trials"]
    assert (trial["policy"], trial["k"], trial["n"], trial["c"]) == ("searcher", 1, 1, 1)


def gate_is(**changes: Any):
    """Change the result of one gate."""

    def change(fact, role):
        if isinstance(fact, GateEvaluated) and fact.result.gate == "no_leak":
            result = fact.result.model_copy(update=changes)
            return fact.model_copy(update={"result": result}), role
        return fact, role

    return change


def fact_is(kind: type, **changes: Any):
    """Change the facts of a type."""
    return lambda fact, role: (
        (fact.model_copy(update=changes) if isinstance(fact, kind) else fact), role
    )  # fmt: skip


def without(kind: type):
    """Leave the facts of a type out."""
    return lambda fact, role: None if isinstance(fact, kind) else (fact, role)


def by(kind: type, who: str):
    """Let the facts of a type be said by another role."""
    return lambda fact, role: (fact, who if isinstance(fact, kind) else role)


OTHER = "f" * 64


@pytest.mark.parametrize(
    ("change", "expected", "found"),
    [
        (gate_is(verdict="fail"), "gate no_leak (version 1) to pass", "fail in event"),
        (gate_is(verdict="error"), "gate no_leak (version 1) to pass", "error in event"),
        (gate_is(gate="another"), "gate no_leak (version 1) recorded", "not recorded"),
        (gate_is(version="2"), "gate no_leak (version 1) recorded", "not recorded"),
        (fact_is(GateEvaluated, revision=OTHER), "gate executable", "not recorded"),
        (by(GateEvaluated, "builder"), "gate.evaluated at position", "by builder"),
        (without(GateEvaluated), "before the admission", "not recorded"),
        (fact_is(PackageDrafted, gate_set_digest=OTHER), f"gate set digest {OTHER}", "gates with"),
        (fact_is(PackageDrafted, gate_set=()), "a gate set with gates", "an empty one"),
        (fact_is(PackageDrafted, revision=OTHER), "made before position", "no time"),
        (by(PackageDrafted, "judge"), "package.drafted at position", "by judge"),
        (fact_is(TestingCompleted, outcome="fail"), "testing.completed to pass", "fail at"),
        (without(TestingCompleted), "testing.completed with a pass", "none"),
        (by(TestingCompleted, "builder"), "testing.completed at position", "by builder"),
        (fact_is(ReviewCompleted, outcome="reject"), "review.completed to pass", "reject at"),
        (without(ReviewCompleted), "review.completed with a pass", "none"),
        (fact_is(TrialOpened, of=2), "[2] trials, as announced", "1 opened"),
        (fact_is(TrialOpened, k=2), "2 verdicts before the admission", "1"),
        (without(VerdictReached), "1 verdicts before the admission", "0"),
        (without(TrialClosed), "closed before position", "closed never"),
        (fact_is(TrialClosed, c=0), "1 scored and 1 passed", "closed with 1 and 0"),
        (fact_is(VerdictReached, verdict=Verdict(outcome="fail")), "0 passed", "1 and 1"),
        (fact_is(VerdictReached, verdict=Verdict(outcome="error")), "0 scored", "1 and 1"),
        (without(PackageCandidate), "package.candidate between", "none"),
        (fact_is(PackageCandidate, ok=False), "package.candidate between", "none"),
        (fact_is(PackageCandidate, revision=OTHER), "package.candidate between", "none"),
    ],
)
def test_what_is_missing_or_wrong_is_a_problem(scroll, change, expected, found):
    scroll.write(change)
    problems = examined(scroll)[1]
    assert any(expected in was and found in now for was, now in problems), problems


def test_a_trial_that_a_person_ordered_later_is_no_ground(scroll):
    scroll.write()
    package = scroll.events("package.drafted")[0].data["package"]
    (opened,) = (event.fact for event in scroll.events("trial.opened"))
    writer = scroll.writer()
    writer.say("operator", opened.model_copy(update={"gating": False, "trial": "trl-later"}))
    writer.commit()
    found, problems = examined(scroll)
    assert package and problems == [] and len(found["trials"]) == 1


@pytest.mark.parametrize(
    "kind", [GateEvaluated, TestingCompleted, ReviewCompleted, TrialClosed, PackageCandidate]
)
def test_what_is_recorded_only_after_the_admission_is_no_ground(scroll, kind):
    late = []

    def change(fact, role):
        if isinstance(fact, kind):
            late.append((role, fact))
            return None
        return fact, role

    scroll.write(change)
    writer = scroll.writer()
    for role, fact in late:
        writer.say(role, fact)
    writer.commit()
    problems = examined(scroll)[1]
    places = [event.position for event in scroll.events(kind.model_fields["type"].default)]
    assert any(f"at position {places[0]}" in now for _, now in problems), problems
