"""The gates of a run: verdicts and the reasons behind those that are no pass."""

from envwright.events.catalog import GateEvaluated
from envwright.events.values import GateResult
from envwright.store.readmodels import Gates
from support.facts import recorded
from support.folded import folded


def evaluated(gate: str, verdict: str, reason: str = "") -> GateEvaluated:
    result = GateResult(gate=gate, version="1", verdict=verdict, reason=reason)
    return GateEvaluated(package="p", revision="a", result=result)


def test_verdicts_and_reasons_are_counted_by_gate():
    facts = [
        evaluated("leak", "pass"),
        evaluated("leak", "fail", "ANSWER"),
        evaluated("leak", "fail", "ANSWER"),
        evaluated("noop", "error"),
    ]
    rows = folded(Gates(), facts)
    assert rows["r/leak"]["verdicts"] == {"pass": 1, "fail": 2}
    assert rows["r/leak"]["reasons"] == {"ANSWER": 2}
    assert rows["r/noop"]["reasons"] == {"error": 1}
    assert rows["r/noop"]["first_position"] == 4


def test_runs_are_kept_apart():
    one, two = recorded([evaluated("leak", "pass"), evaluated("leak", "pass")])
    rows = folded(Gates(), [one, two.model_copy(update={"run_id": "other"})])
    assert sorted(rows) == ["other/leak", "r/leak"]
