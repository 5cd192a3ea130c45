"""What a run has done so far, folded from its events."""

from typing import Any

import pytest

from envwright.agents import run_report, tally
from envwright.agents.handlers import Handler
from envwright.agents.reports import RunTally
from envwright.agents.tester import desk as testing
from envwright.events.catalog import (
    EffectCompleted,
    EffectRequested,
    Fact,
    RunCompleted,
    TrialClosed,
    TrialOpened,
    WorkClaimed,
    WorkExpired,
)
from envwright.events.values import PolicySpec
from support.facts import recorded
from support.office import Office


@pytest.fixture(scope="module")
def report(varied: Office) -> dict[str, Any]:
    [asked] = varied.events("run.requested")
    return dict(run_report(varied.runtime, asked.run_id))


def test_admissions_and_rejections_by_reason_add_up_to_what_was_planned(
    report: dict[str, Any],
) -> None:
    assert report["rejected"] == {"NO_TASK": 2, "REFERENCE_FAILS": 2, "duplicate": 3}
    assert (report["planned"], report["admitted"], report["requested"]) == (10, 3, 4)
    assert report["planned"] == report["admitted"] + sum(report["rejected"].values())
    assert report["status"] == "completed"


def test_each_admitted_package_is_described_with_its_digest_and_repairs(
    varied: Office, report: dict[str, Any]
) -> None:
    admitted = [event.data for event in varied.events("package.admitted")]
    assert [package["digest"] for package in report["packages"]] == [
        fact["revision"] for fact in admitted
    ]
    assert [package["revision"] for package in report["packages"]] == [1, 0, 1]
    assert report["packages"][0]["services"] == ["desk"]
    assert report["repairs"] == {"AMBIGUOUS": 2, "REFERENCE_FAILS": 4}


def test_gates_attempts_and_rates_are_counted(report: dict[str, Any]) -> None:
    assert report["attempts"] == 6
    assert report["pass"] == {"random": {"n": 6, "c": 0, "rate": 0.0}}
    assert report["gates"]["reference_passes"] == {"fail": 6, "pass": 8}


def test_sources_and_time_are_told(varied: Office, report: dict[str, Any]) -> None:
    [source] = report["sources"]
    assert (source["format"], source["records"], source["skipped"]) == ("subjects", 5, 0)
    assert report["events"] == varied.runtime.log.head()
    assert report["seconds"] > 0
    assert report["restarts"]["takeovers"] == report["restarts"]["parked"] == 0


def claimed(token: int, reason: Any = "new") -> WorkClaimed:
    return WorkClaimed(work="w", group="g", cause="c", token=token, try_number=1, reason=reason)


def requested(key: str, token: int) -> EffectRequested:
    return EffectRequested(
        work="w",
        key=key,
        kind="gate",
        effect_class="pure",
        node="n",
        task=0,
        ordinal=0,
        try_number=1,
        request="d",
        token=token,
    )


def completed(key: str) -> EffectCompleted:
    return EffectCompleted(work="w", key=key, ok=True)


def folded(*facts: Fact) -> RunTally:
    return tally(recorded(facts))


def test_an_effect_that_a_later_claim_completed_was_executed_again() -> None:
    counts = folded(
        claimed(1),
        *(requested("a", 1), completed("a"), requested("b", 1)),
        WorkExpired(work="w", token=1),
        claimed(2, "takeover"),
        *(completed("b"), requested("c", 2)),
        claimed(3, "takeover"),
        *(completed("c"), requested("d", 3), completed("d")),
    )
    assert (counts.effects, counts.reexecuted, counts.claims["takeover"]) == (4, 2, 2)
    assert counts.asked == {}


def test_an_effect_that_nobody_completed_yet_is_not_counted() -> None:
    counts = folded(claimed(1), requested("a", 1), claimed(2, "takeover"))
    assert (counts.effects, counts.reexecuted) == (0, 0)


def test_a_later_trial_is_in_no_rate_and_takes_no_time_of_the_run() -> None:
    over = RunCompleted(run="r", admitted=1, requested=1, shortfall=0, reason="enough")

    def trial(name: str, gating: bool) -> list[Fact]:
        policy = PolicySpec(name="random")
        opened = TrialOpened(
            package="p",
            revision="d",
            trial=name,
            index=1,
            of=1,
            policy=policy,
            k=1,
            seeds=(1,),
            gating=gating,
        )
        closed = TrialClosed(package="p", revision="d", trial=name, policy="random", n=1, c=1)
        return [opened, closed]

    events = recorded([*trial("t", True), over, *trial("u", False)])
    counts = tally(events)
    assert counts.passes == {"random": {"n": 1, "c": 1}}
    assert counts.ended and counts.last_at == events[2].recorded_at
    assert counts.position == 5


def test_re_executed_gates_are_counted_in_the_report_of_a_run(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_gate, killed = testing.run_gate, []

    def dying(*arguments: Any) -> Any:
        if not killed:
            killed.append(True)
            raise SystemExit
        return run_gate(*arguments)

    run = office.request()
    cause = office.advance(run, "package.drafted")
    ctx = office.context(cause)
    monkeypatch.setattr(testing, "run_gate", dying)
    with pytest.raises(SystemExit):
        Handler(office.runtime).handle(ctx)
    office.die()
    assert office.finish(run) == "completed"
    restarts = run_report(office.runtime, run)["restarts"]
    assert (restarts["takeovers"], restarts["effects_reexecuted"]) == (1, 1)
    assert restarts["effects"] == len(office.facts(EffectCompleted)) == 4


def test_a_run_that_has_done_nothing_takes_no_time() -> None:
    assert tally([]).seconds() == 0.0
