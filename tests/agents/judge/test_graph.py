"""The way of a delivery through the Judge's graph."""

import pytest

from envwright.agents.judge import judge_graph
from envwright.events import ROLES
from support.steps import Steps

STEPS = {
    "review.completed": "review",
    "package.abandoned": "abandon",
    "attempt.finished": "score",
    "package.candidate": "admit",
    "package.inherited": "admit",
}


@pytest.mark.parametrize("cause", ROLES["judge"])
def test_each_cause_has_one_step(cause: str) -> None:
    desk = Steps()
    judge_graph().invoke({"step": cause, "index": 0}, context=desk)
    assert desk.taken == [STEPS[cause]]
