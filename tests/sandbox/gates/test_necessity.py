"""Gate `calls_necessary`."""

import pytest

from envwright.sandbox.gates import Flow, gate_spec, run_gate, trace_values
from support.packages import desk_bundle


def outcome(change=None):
    """Examine the desk's reference in an order in which all of it is needed, and changed."""

    def reordered(documents):
        calls = documents["solution/calls.json"]["calls"]
        calls.insert(1, calls.pop())
        if change is not None:
            change(documents)

    return run_gate(gate_spec("calls_necessary"), desk_bundle(reordered))


def calls(edit):
    return lambda documents: edit(documents["solution/calls.json"]["calls"])


def test_a_read_whose_value_another_call_gives_in_time_is_unnecessary():
    # Closing the ticket gives the customer too, before the new ticket needs it.
    found = run_gate(gate_spec("calls_necessary"), desk_bundle()).result
    assert (found.reason, "find_customer" in found.detail) == ("UNNECESSARY_CALL", True)


def test_a_reference_of_needed_calls_passes():
    passed = outcome()
    assert passed.result.verdict == "pass", passed.result.detail
    assert passed.evidence["necessary"] == len(desk_bundle().solution.calls)


def test_a_read_that_nothing_uses_is_unnecessary():
    look = {"name": "get_ticket", "arguments": {"ticket_id": "T-1002"}}
    failed = outcome(calls(lambda listed: listed.insert(0, look))).result
    assert (failed.verdict, failed.reason, failed.blames) == (
        "fail",
        "UNNECESSARY_CALL",
        "solution",
    )
    assert "get_ticket" in failed.detail


def test_a_write_that_the_verifier_does_not_miss_is_unnecessary():
    def loosen(documents):
        verifier = documents["tests/assertions.json"]
        verifier["state"] = [a for a in verifier["state"] if "T-2001" not in str(a)]
        verifier["state"] = [a for a in verifier["state"] if a["op"] != "count_delta"]
        verifier["frames"] = []

    failed = outcome(loosen).result
    assert failed.reason == "UNNECESSARY_CALL"
    assert "file_ticket" in failed.detail


def test_a_value_that_nobody_gave_is_undiscoverable():
    def rename(listed):
        next(c for c in listed if c["name"] == "file_ticket")["arguments"]["subject"] = "ghost"

    failed = outcome(calls(rename)).result
    assert failed.reason in {"UNDISCOVERABLE_VALUE", "UNNECESSARY_CALL"}


def flow(given, value, wrote=False):
    return Flow([given], value, wrote)


CHAIN = (flow("ada", "u-77"), flow("u-77", {"orders": ["o-11", "o-12"]}))


def test_values_are_followed_from_what_was_said_to_the_last_write():
    traced = trace_values(["I am ada"], [*CHAIN, flow("o-11", "ok", True)], [])
    assert traced.idle == ()
    assert traced.unfounded == ()


def test_reads_after_which_nothing_is_done_are_idle():
    assert trace_values(["I am ada"], CHAIN, []).idle == (0, 1)


def test_an_answer_needs_the_read_that_alone_gives_it():
    look = flow("o-11", {"total": 12.5})
    assert trace_values(["I am ada"], [*CHAIN, look], ["12.5"]).idle == ()
    twice = [*CHAIN, look, flow("o-11", {"total": 12.5})]
    assert 3 in trace_values(["I am ada"], twice, ["12.5"]).idle


@pytest.mark.parametrize("shared", [True, None])
def test_truth_values_carry_nothing(shared):
    assert trace_values([], [flow("x", shared), flow(shared, "ok", True)], []).idle == (0,)


def test_what_was_said_needs_no_read():
    read = flow("ada", "u-77")
    assert trace_values(["ada has u-77"], [read, flow("u-77", "ok", True)], []).idle == (0,)


def test_the_call_that_meets_a_fault_is_needed_and_no_step_of_the_task():
    def change(documents):
        listed = documents["solution/calls.json"]["calls"]
        fault = {"error": "Error: 503, try again"}
        documents["environment/world.json"]["faults"] = {listed[-1]["name"]: fault}
        listed.append(listed[-1])

    passed = outcome(change)
    assert passed.result.verdict == "pass", passed.result.detail
    assert passed.evidence["necessary"] == len(desk_bundle().solution.calls)


def test_a_call_made_again_without_a_fault_is_unnecessary():
    failed = outcome(calls(lambda listed: listed.insert(0, listed[0]))).result
    assert (failed.verdict, failed.reason) == ("fail", "UNNECESSARY_CALL")


@pytest.mark.parametrize("faulty", [False, True])
def test_a_fault_does_not_make_a_write_seem_needed_that_a_later_one_undoes(faulty):
    def change(documents):
        closing = documents["environment/programs.json"]["close_ticket"]
        closing["guards"][0]["within"] = ["open", "closed"]
        listed = documents["solution/calls.json"]["calls"]
        last = listed.pop()
        undone = {**last, "arguments": {**last["arguments"], "outcome": "refused"}}
        listed += [undone, *([undone] if faulty else []), last]
        if faulty:
            fault = {last["name"]: {"error": "Error: 503, try again"}}
            documents["environment/world.json"]["faults"] = fault

    failed = outcome(change).result
    assert (failed.verdict, failed.reason) == ("fail", "UNNECESSARY_CALL")
    assert "close_ticket" in failed.detail
