"""Gate `noop_fails`."""

from envwright.sandbox.gates import gate_spec, run_gate
from support.packages import desk_bundle, equals


def outcome(change=None):
    return run_gate(gate_spec("noop_fails"), desk_bundle(change))


def verifier(**parts):
    return lambda documents: documents["tests/assertions.json"].update(parts)


OPEN = equals("open", ["tickets", "T-1002", "status"], "open")
CLOSED = equals("closed", ["tickets", "T-1002", "status"], "closed")
SAID = {"id": "said", "op": "contains", "expected": "printer"}


def test_doing_nothing_fails_a_sound_verifier():
    passed = outcome()
    assert passed.result.verdict == "pass"
    assert passed.evidence["vacuous"] == []
    assert passed.evidence["runs"][0]["calls"] == []


def test_assertions_that_are_true_at_the_start_are_vacuous():
    result = outcome(verifier(state=[OPEN])).result
    assert (result.verdict, result.reason) == ("fail", "VACUOUS_ASSERTIONS")
    assert "open" in result.detail
    assert result.blames == "verifier"


def test_frames_alone_are_vacuous():
    assert outcome(verifier(state=[])).result.reason == "VACUOUS_ASSERTIONS"


def test_no_assertion_at_all_is_vacuous():
    assert outcome(verifier(state=[], frames=[])).result.reason == "VACUOUS_ASSERTIONS"


def test_an_answer_does_not_excuse_state_assertions_that_say_nothing():
    assert outcome(verifier(state=[OPEN], answer=[SAID])).result.reason == "VACUOUS_ASSERTIONS"


def test_one_assertion_that_is_true_at_the_start_is_one_too_many():
    guard = equals("guard", ["customers", "c-novak-04", "tier"], "basic")
    failed = outcome(verifier(state=[guard, CLOSED]))
    assert failed.result.reason == "VACUOUS_ASSERTIONS"
    assert failed.evidence["vacuous"] == ["guard"]


def test_a_reading_task_that_rests_on_its_answer_passes():
    assert outcome(verifier(state=[], answer=[SAID])).result.verdict == "pass"
