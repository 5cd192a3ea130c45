"""The way of a delivery through the Solver's graph."""

import pytest

from envwright.agents.solver import solver_graph
from support.steps import Steps


@pytest.mark.parametrize("turns", [1, 4])
def test_an_attempt_goes_on_until_a_turn_is_the_last(turns: int) -> None:
    desk = Steps(act=[True] * (turns - 1) + [False])
    found = solver_graph().invoke({"step": "attempt.requested", "index": 0}, context=desk)
    assert desk.taken == ["open", *["act"] * turns, "finish"]
    assert found["index"] == turns
