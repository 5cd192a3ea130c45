"""Trials, joins and candidates."""

import threading
from collections import Counter
from typing import Any

import pytest

from envwright.agents import Worker
from envwright.agents.handlers import Handler
from envwright.agents.judge import TrialPlan, trial_facts
from envwright.events.catalog import (
    AttemptFinished,
    AttemptRequested,
    PackageCandidate,
    PackageDrafted,
    ReviewCompleted,
    RunPaused,
    TrialClosed,
    TrialOpened,
    VerdictReached,
)
from envwright.events.errors import ConcurrencyError
from envwright.events.values import ArtifactRef, PolicySpec
from support.office import Office
from support.waiting import PATIENCE

PANEL = (PolicySpec(name="random"), PolicySpec(name="searcher"))


def plan(**changes: Any) -> TrialPlan:
    fields: dict[str, Any] = {
        "package": "p",
        "revision": "d",
        "bundle": ArtifactRef(digest="0" * 64, size=0),
        "policy": PANEL[0],
        "index": 1,
        "of": 2,
        "k": 3,
        "seed": 7,
        "max_turns": 5,
        **changes,
    }
    return TrialPlan(**fields)


def seeds(**changes: Any) -> tuple[int, ...]:
    opened = trial_facts(plan(**changes))[0]
    assert isinstance(opened, TrialOpened)
    return opened.seeds


def test_a_trial_orders_k_attempts_with_seeds_and_names_of_their_own() -> None:
    opened, *attempts = trial_facts(plan())
    assert isinstance(opened, TrialOpened) and (opened.k, opened.of) == (3, 2)
    orders = [fact for fact in attempts if isinstance(fact, AttemptRequested)]
    assert [order.index for order in orders] == [0, 1, 2]
    assert tuple(order.seed for order in orders) == opened.seeds
    assert len(set(opened.seeds)) == len({order.attempt for order in orders}) == 3
    assert {order.trial for order in orders} == {opened.trial}
    assert trial_facts(plan()) == [opened, *attempts]


def test_seeds_follow_from_content_and_never_from_an_id() -> None:
    assert seeds(package="q") == seeds() == seeds(index=2)
    others = [{"revision": "e"}, {"policy": PANEL[1]}, {"seed": 8}, {"nonce": 1}]
    assert all(not set(seeds(**other)) & set(seeds()) for other in others)


def test_a_passed_review_opens_one_trial_for_each_policy_of_the_panel(office: Office) -> None:
    run = office.request(panel=PANEL, attempts=2)
    said = office.handle(office.advance(run, "review.completed")).said()
    opened = [fact for fact in said if isinstance(fact, TrialOpened)]
    assert [(fact.index, fact.of, fact.policy) for fact in opened] == [
        (1, 2, PANEL[0]),
        (2, 2, PANEL[1]),
    ]
    assert Counter(f.trial for f in said if isinstance(f, AttemptRequested)) == dict.fromkeys(
        [fact.trial for fact in opened], 2
    )


def test_a_rejected_review_is_a_candidate_that_is_not_ok(office: Office) -> None:
    run = office.request("hopeless", recipe="mending", max_repairs=0)
    [candidate] = office.handle(office.advance(run, "review.completed")).said()
    assert isinstance(candidate, PackageCandidate)
    assert (candidate.ok, candidate.reasons) == (False, ("REFERENCE_FAILS",))
    assert candidate.fingerprint == ()


def test_without_a_panel_a_passed_review_is_a_candidate(office: Office) -> None:
    run = office.request("a", panel=())
    [candidate] = office.handle(office.advance(run, "review.completed")).said()
    assert isinstance(candidate, PackageCandidate)
    assert (candidate.ok, candidate.fingerprint) == (True, ("a",))


def finished_attempts(office: Office, **settings: Any) -> list[Any]:
    """Return the events of all attempts of a run, none of which is scored."""
    run = office.request(**{"panel": PANEL, "attempts": 2, **settings})
    office.advance(run, "review.completed")
    office.work(run, lambda: office.events("attempt.requested"), ("judge",))
    wanted = len(office.events("attempt.requested"))
    office.work(run, lambda: len(office.events("attempt.finished")) == wanted, ("solver",))
    return office.events("attempt.finished")


def joined(office: Office) -> None:
    """Check that every trial was closed once and the package became a candidate once."""
    opened, closed = office.facts(TrialOpened), office.facts(TrialClosed)
    assert sorted(fact.trial for fact in closed) == sorted(fact.trial for fact in opened)
    for fact in closed:
        assert fact.n == next(trial.k for trial in opened if trial.trial == fact.trial)
        assert list(fact.pass_hat) == [str(j + 1) for j in range(fact.n)]
    assert len(office.facts(VerdictReached)) == sum(trial.k for trial in opened)
    assert [fact.ok for fact in office.facts(PackageCandidate)] == [True]


def test_the_last_verdict_closes_the_trial_and_the_last_trial_makes_the_candidate(
    office: Office,
) -> None:
    said = []
    for cause in finished_attempts(office):
        ctx = office.handle(cause)
        said.append([fact.type for fact in ctx.said()])
        ctx.commit()
    verdict = "verdict.reached"
    assert said == [
        [verdict],
        [verdict, "trial.closed"],
        [verdict],
        [verdict, "trial.closed", "package.candidate"],
    ]
    joined(office)


def test_of_two_judges_that_score_at_once_one_comes_again_and_closes(office: Office) -> None:
    other = office.beside()
    first, second = finished_attempts(office, panel=PANEL[:1])
    one, two = office.handle(first), other.handle(second)
    assert [fact.type for fact in (*one.said(), *two.said())] == ["verdict.reached"] * 2
    one.commit()
    with pytest.raises(ConcurrencyError):
        two.commit()
    other.runtime.leases.retry(two.claim, delay=0, conflict=True)
    again = other.handle(second)
    assert [fact.type for fact in again.said()] == [
        "verdict.reached",
        "trial.closed",
        "package.candidate",
    ]
    again.commit()
    joined(office)


def test_joins_count_right_under_two_judges_at_the_same_time(office: Office) -> None:
    causes = finished_attempts(office, attempts=6)
    assert len(causes) == 12
    run = causes[0].run_id
    stop = threading.Event()
    offices = [office, office.beside()]
    for each in offices:
        each.runtime.config = each.runtime.config.model_copy(update={"roles": ("judge",)})
    judges = [
        threading.Thread(target=Worker(each.runtime, run_id=run).serve, args=(stop,))
        for each in offices
    ]
    for judge in judges:
        judge.start()
    overdue = threading.Timer(PATIENCE, stop.set)
    overdue.start()
    while not office.events("package.admitted") and not stop.wait(0.02):
        pass
    stop.set()
    overdue.cancel()
    for judge in judges:
        judge.join()
    joined(office)


def test_an_attempt_that_lies_about_its_end_pauses_the_run_and_gets_no_verdict(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = Handler.handle

    def lie(self: Handler, ctx: Any) -> None:
        handle(self, ctx)
        for place, fact in enumerate(ctx.said()):
            if isinstance(fact, AttemptFinished):
                lied = fact.model_copy(update={"state_digest": "0" * 64})
                ctx._outputs[place] = lied

    monkeypatch.setattr(Handler, "handle", lie)
    run = office.request(max_retries=0)
    assert office.finish(run) == "paused"
    assert not office.facts(VerdictReached)
    [paused] = office.facts(RunPaused)
    assert "its calls give" in paused.detail


def test_a_trial_that_does_not_belong_to_admission_closes_without_a_candidate(
    office: Office,
) -> None:
    run = office.request()
    office.finish(run)
    [drafted] = office.facts(PackageDrafted)
    later = plan(
        package=drafted.package,
        revision=drafted.revision,
        bundle=drafted.bundle,
        of=1,
        k=2,
        gating=False,
    )
    office.runtime.record(*trial_facts(later), role="operator", run_id=run)
    office.work(run, lambda: len(office.facts(TrialClosed)) == 2, ("judge", "solver"))
    assert len(office.facts(PackageCandidate)) == 1
    assert [closed.n for closed in office.facts(TrialClosed)] == [1, 2]


def test_the_candidate_is_about_the_last_revision(office: Office) -> None:
    office.finish(office.request("broken", recipe="mending"))
    [review] = office.facts(ReviewCompleted)
    [candidate] = office.facts(PackageCandidate)
    assert candidate.revision == review.revision != office.facts(PackageDrafted)[0].revision
