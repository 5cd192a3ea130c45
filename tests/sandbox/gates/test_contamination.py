"""Gate `not_held_out`."""

import pytest

from envwright.events.values import ToolCall
from envwright.sandbox.gates import gate_spec, mark_calls, run_gate
from support.packages import desk_bundle


def calls(*names):
    return [ToolCall(name=name, arguments={"id": name}) for name in names]


def outcome(*held_out):
    marks = [mark_calls(one) for one in held_out]
    sequences = [mark.sequence for mark in marks]
    grams = [gram for mark in marks for gram in mark.grams]
    return run_gate(gate_spec("not_held_out", sequences=sequences, grams=grams), desk_bundle())


def test_a_task_that_was_not_held_out_passes():
    assert outcome(calls("a", "b", "c", "d", "e")).result.verdict == "pass"


def test_a_held_out_task_is_rejected():
    found = outcome(desk_bundle().solution.calls).result
    assert (found.verdict, found.reason, found.blames) == ("fail", "HELD_OUT", "solution")


def test_another_order_of_arguments_and_a_namespace_hide_nothing():
    same = [
        ToolCall(name=f"ns__{c.name.upper()}", arguments=dict(reversed(c.arguments.items())))
        for c in desk_bundle().solution.calls
    ]
    assert outcome(same).result.reason == "HELD_OUT"


def test_four_calls_in_a_row_are_one_gram():
    assert len(mark_calls(calls(*"abcdefgh")).grams) == 5
    assert len(mark_calls(calls("a", "b")).grams) == 1


@pytest.mark.parametrize(("shared", "rejected"), [(8, True), (7, False)])
def test_eight_grams_in_ten_are_too_many(shared, rejected):
    mine = mark_calls(calls(*"abcdefghijklm"))
    theirs = set(mine.grams[:shared])
    assert len(mine.grams) == 10
    assert (sum(gram in theirs for gram in mine.grams) / 10 >= 0.8) == rejected
