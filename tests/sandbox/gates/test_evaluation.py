"""Running a gate: pass, fail and error."""

import pytest

from envwright.events import encode
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.values import GateSpec
from envwright.sandbox.gates import default_gate_set, gate_registry, run_gate
from envwright.sandbox.worlds.tables import TableWorld
from support.packages import desk_bundle

IN_PROCESS = [spec for spec in default_gate_set() if spec.gate != "deterministic"]


@pytest.mark.parametrize("spec", default_gate_set(), ids=lambda spec: spec.gate)
def test_a_sound_package_passes_every_gate_with_the_same_evidence_each_time(spec):
    first, second = run_gate(spec, desk_bundle()), run_gate(spec, desk_bundle())
    assert first.result.verdict == "pass"
    assert (first.result.reason, first.result.blames) == ("", "")
    assert first.result.evidence is None
    assert encode(first.evidence) == encode(second.evidence)
    assert first.result == second.result


@pytest.mark.parametrize("spec", default_gate_set(), ids=lambda spec: spec.gate)
def test_malformed_content_fails_every_gate_that_needs_it(spec):
    def change(documents):
        documents["solution/calls.json"]["calls"] = [{}]

    result = run_gate(spec, desk_bundle(change)).result
    if spec.gate == "noop_fails":
        assert result.verdict == "pass"
    else:
        assert (result.verdict, result.reason) == ("fail", "MALFORMED_CONTENT")
        assert "calls.0" in result.detail


@pytest.mark.parametrize("spec", IN_PROCESS, ids=lambda spec: spec.gate)
def test_a_world_that_breaks_down_is_an_error_and_blames_nothing(spec, monkeypatch):
    def broken(world, seed):
        raise InfrastructureError("the world's server is gone")

    monkeypatch.setattr(TableWorld, "reset", broken)
    result = run_gate(spec, desk_bundle()).result
    if spec.gate == "no_leak":
        assert result.verdict == "pass"
    else:
        assert (result.verdict, result.reason) == ("error", "INFRASTRUCTURE")
        assert (result.detail, result.blames) == ("the world's server is gone", "")


@pytest.mark.parametrize("error", [OSError("no space"), MemoryError()])
def test_a_machine_at_its_end_is_an_error(error, monkeypatch):
    def broken(world, seed):
        raise error

    monkeypatch.setattr(TableWorld, "reset", broken)
    result = run_gate(IN_PROCESS[0], desk_bundle()).result
    assert (result.verdict, result.detail) == ("error", str(error) or "MemoryError")


def test_a_bug_is_an_exception_and_no_verdict(monkeypatch):
    def broken(world, seed):
        raise ZeroDivisionError

    monkeypatch.setattr(TableWorld, "reset", broken)
    with pytest.raises(ZeroDivisionError):
        run_gate(IN_PROCESS[0], desk_bundle())


def test_a_bad_setting_is_the_callers_fault_and_no_verdict_on_the_package():
    with pytest.raises(BadInputError, match="seeds"):
        run_gate(GateSpec(gate="executable", settings={"seeds": "all"}), desk_bundle())


def test_a_recipe_may_blame_another_artifact():
    spec = GateSpec(gate="noop_fails", blames="instruction")

    def change(documents):
        documents["tests/assertions.json"]["state"] = []

    result = run_gate(spec, desk_bundle(change)).result
    assert result.blames == "instruction"
    assert result.reason in gate_registry()["noop_fails"].reasons
