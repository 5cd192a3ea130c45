"""Gate `reference_passes`."""

from envwright.sandbox.gates import gate_spec, run_gate
from support.packages import desk_bundle


def outcome(change=None, **settings):
    return run_gate(gate_spec("reference_passes", **settings), desk_bundle(change))


def test_the_reference_passes_with_every_seed_and_shows_what_it_saw():
    passed = outcome()
    assert passed.result.verdict == "pass"
    assert [run["seed"] for run in passed.evidence["runs"]] == [0, 1]
    run = passed.evidence["runs"][0]
    assert len(run["calls"]) == len(run["observations"]) == len(run["digests"]) == 3
    assert run["observations"][0] == {"ok": True, "value": "c-moser-17"}
    assert all(item["passed"] for item in run["verification"]["items"])


def test_a_reference_that_misses_an_assertion_fails_and_says_what_was_found():
    def change(documents):
        documents["solution/calls.json"]["calls"].pop()

    result = outcome(change).result
    assert (result.verdict, result.reason) == ("fail", "REFERENCE_FAILS")
    assert result.detail == "seed 0: filed found nothing"
    assert result.blames == "solution"


def test_a_reference_with_a_refused_call_fails_even_if_every_assertion_holds():
    def change(documents):
        bad = {"name": "get_ticket", "arguments": {"ticket_id": "T-9"}}
        documents["solution/calls.json"]["calls"].insert(0, bad)

    result = outcome(change).result
    assert (result.verdict, result.reason) == ("fail", "REFERENCE_CALL_FAILED")
    assert "get_ticket gave 'Error: no such ticket'" in result.detail


def test_a_reference_that_calls_an_unknown_tool_fails():
    def change(documents):
        documents["solution/calls.json"]["calls"][0]["name"] = "find_anybody"

    assert outcome(change).result.reason == "REFERENCE_CALL_FAILED"


def test_a_wrong_answer_fails_a_task_that_asks_for_one():
    def change(documents):
        answer = {"id": "said", "op": "equals", "expected": "printer"}
        documents["tests/assertions.json"]["answer"] = [answer]
        documents["solution/calls.json"]["answer"] = "scanner"

    assert outcome(change).result.detail == 'seed 0: said found "scanner"'


def test_an_assertion_on_the_seed_holds_with_one_seed_alone():
    def change(documents):
        state = documents["tests/assertions.json"]["state"]
        state.append({"id": "seed", "path": ["seed"], "op": "eq", "expected": 0})

    assert outcome(change).result.detail == "seed 1: seed found 1"
    assert outcome(change, seeds=[0]).result.verdict == "pass"


def faulted(documents, repeat=True):
    """Let the call that files the ticket fail once, and make it again."""
    listed = documents["solution/calls.json"]["calls"]
    documents["environment/world.json"]["faults"] = {
        listed[-1]["name"]: {"error": "Error: 503, try again"}
    }
    if repeat:
        listed.append(listed[-1])


def test_a_reference_that_meets_a_fault_and_repeats_the_call_passes():
    passed = outcome(faulted)
    assert passed.result.verdict == "pass", passed.result.detail
    assert [seen["ok"] for seen in passed.evidence["runs"][0]["observations"]][-2:] == [False, True]


def test_a_reference_that_does_not_repeat_the_call_fails():
    result = outcome(lambda documents: faulted(documents, repeat=False)).result
    assert (result.verdict, result.reason) == ("fail", "REFERENCE_CALL_FAILED")
