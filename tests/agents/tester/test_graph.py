"""The way of a delivery through the Tester's graph."""

from envwright.agents import tester
from support.steps import Steps


def test_gates_are_run_one_after_another_until_one_says_enough() -> None:
    desk = Steps(evaluate=[True, True, False])
    tester.tester_graph().invoke({"step": "package.drafted", "index": 0}, context=desk)
    gates = [("evaluate", number) for number in range(3)]
    assert desk.taken == ["load", *gates, "conclude"]
