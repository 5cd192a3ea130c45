"""Traces have an identity by what was recorded."""

from support.tool_logs import ok, trace


def test_equal_traces_have_one_identity_and_others_another():
    one = trace(1, ok("get", {"a": 1}, k="x"))
    assert one.identity() == trace(1, ok("get", {"a": 1}, k="x")).identity()
    others = [
        trace(2, ok("get", {"a": 1}, k="x")),
        trace(1, ok("get", {"a": 2}, k="x")),
        trace(1, ok("get", {"a": 1}, k="y")),
        trace(1, ok("get", {"a": 1}, k="x"), said="hi"),
    ]
    assert len({one.identity(), *(other.identity() for other in others)}) == 5
