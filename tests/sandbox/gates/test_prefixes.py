"""Gate `prefixes_fail`."""

from envwright.sandbox.gates import gate_spec, run_gate
from support.packages import desk_bundle


def outcome(change=None):
    return run_gate(gate_spec("prefixes_fail"), desk_bundle(change))


def test_every_prefix_before_a_write_is_tried_and_fails():
    passed = outcome()
    assert passed.result.verdict == "pass"
    tried = [(prefix["length"], prefix["before"]) for prefix in passed.evidence["prefixes"]]
    assert tried == [(1, "close_ticket"), (2, "file_ticket")]
    assert passed.evidence["prefixes"][1]["failed"] == ["filed"]


def test_a_verifier_that_forgets_the_last_write_fails():
    def change(documents):
        documents["tests/assertions.json"]["state"].pop()

    result = outcome(change).result
    assert (result.verdict, result.reason) == ("fail", "PREFIX_PASSES")
    assert result.detail == "assertions hold after 2 calls, before file_ticket"
    assert result.blames == "verifier"


def test_the_right_answer_does_not_stand_in_for_a_write():
    def change(documents):
        said = {"id": "said", "op": "equals", "expected": "done"}
        documents["tests/assertions.json"].update(state=[], answer=[said])
        documents["solution/calls.json"]["answer"] = "done"

    assert outcome(change).result.reason == "PREFIX_PASSES"


def test_a_task_without_writes_has_nothing_to_try():
    def change(documents):
        del documents["solution/calls.json"]["calls"][1:]

    assert outcome(change).evidence["prefixes"] == []
