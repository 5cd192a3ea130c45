"""What the Tester runs, what it is spared, and what a takeover is served."""

from typing import Any

import pytest

from envwright.agents.handlers import Handler
from envwright.agents.tester import desk as testing
from envwright.events.catalog import (
    EffectCompleted,
    EffectRequested,
    GateEvaluated,
    PackageDrafted,
    RunPaused,
    TestingCompleted,
)
from envwright.events.errors import InfrastructureError
from envwright.sandbox.gates import GateOutcome, cheapest_first
from support.desk_recipe import GATES
from support.office import Office

RUN_GATE = testing.run_gate


class Gates:
    """Counts the gates that are really run; before the n-th of them the process dies."""

    def __init__(self, dies_at: int = 0) -> None:
        self.ran: list[str] = []
        self._dies_at = dies_at

    def __call__(self, spec: Any, bundle: Any) -> GateOutcome:
        self.ran.append(spec.gate)
        if len(self.ran) == self._dies_at:
            raise SystemExit
        return RUN_GATE(spec, bundle)


def test_the_gate_set_is_run_cheapest_first_and_each_verdict_has_its_evidence(
    office: Office,
) -> None:
    cause = office.advance(office.request(), "package.drafted")
    *gates, completed = office.handle(cause).said()
    results = [fact.result for fact in gates if isinstance(fact, GateEvaluated)]
    [drafted] = office.facts(PackageDrafted)
    order = [spec.gate for spec in cheapest_first(drafted.gate_set)]
    assert [result.gate for result in results] == order
    assert {result.verdict for result in results} == {"pass"}
    for result in results:
        assert result.evidence is not None and office.runtime.artifacts.has(result.evidence.digest)
    assert isinstance(completed, TestingCompleted)
    assert (completed.outcome, completed.first_fail) == ("pass", None)


def test_after_a_gate_that_fails_the_dearer_ones_are_spared(office: Office) -> None:
    cause = office.advance(office.request("flawed"), "package.drafted")
    said = office.handle(cause).said()
    verdicts = [(f.result.gate, f.result.verdict) for f in said if isinstance(f, GateEvaluated)]
    assert verdicts[-1] == ("reference_passes", "fail")
    assert {verdict for _, verdict in verdicts[:-1]} == {"pass"}
    assert len(verdicts) < len(GATES)
    assert isinstance(said[-1], TestingCompleted)
    assert (said[-1].outcome, said[-1].first_fail) == ("fail", "reference_passes")


@pytest.mark.parametrize("dies_at", [1, 2, 4])
def test_a_takeover_is_served_what_had_an_outcome_and_runs_the_rest_once_more(
    office: Office, monkeypatch: pytest.MonkeyPatch, dies_at: int
) -> None:
    run = office.request()
    cause = office.advance(run, "package.drafted")
    first, second = Gates(dies_at), Gates()
    monkeypatch.setattr(testing, "run_gate", first)
    ctx = office.context(cause)
    with pytest.raises(SystemExit):
        Handler(office.runtime).handle(ctx)
    office.die()
    monkeypatch.setattr(testing, "run_gate", second)
    assert office.finish(run) == "completed"
    assert first.ran[: dies_at - 1] + second.ran == [*first.ran[:-1], *second.ran]
    assert len(first.ran[: dies_at - 1] + second.ran) == len(GATES)
    assert second.ran[0] == first.ran[-1]
    keys = [fact.key for fact in office.facts(EffectCompleted)]
    assert len(keys) == len(set(keys)) == len(GATES)
    assert len(office.facts(EffectRequested)) == len(GATES)
    assert len(office.facts(GateEvaluated)) == len(GATES)
    [completed] = office.events("testing.completed")
    assert completed.metrics["effects_served"] == dies_at - 1
    assert completed.metrics["effects_reexecuted"] == 1


def test_a_machine_that_fails_is_no_verdict_on_the_package(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(spec: Any, bundle: Any) -> GateOutcome:
        passed = RUN_GATE(spec, bundle)
        result = passed.result.model_copy(update={"verdict": "error", "detail": "no memory"})
        return passed.model_copy(update={"result": result})

    monkeypatch.setattr(testing, "run_gate", failing)
    cause = office.advance(office.request(max_retries=1), "package.drafted")
    with pytest.raises(InfrastructureError, match="gate 'executable': no memory"):
        office.handle(cause)
    office.die()
    assert office.finish(cause.run_id) == "paused"
    assert not office.facts(GateEvaluated) and not office.facts(TestingCompleted)
    [paused] = office.facts(RunPaused)
    assert paused.detail == "gate 'executable': no memory"


def test_a_new_try_after_a_failing_machine_runs_every_gate_anew(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = Gates()
    failed: list[bool] = []

    def failing(spec: Any, bundle: Any) -> GateOutcome:
        outcome = gates(spec, bundle)
        if len(gates.ran) == 3 and not failed:
            failed.append(True)
            raise InfrastructureError("down")
        return outcome

    monkeypatch.setattr(testing, "run_gate", failing)
    assert office.finish(office.request()) == "completed"
    assert gates.ran == [*gates.ran[3:6], *gates.ran[3:]]
    assert len(gates.ran) == 3 + len(GATES)
    assert len(office.facts(GateEvaluated)) == len(GATES)
