"""The way of a delivery through the Planner's graph."""

from typing import Any

import pytest

from envwright.agents.planner import planner_graph
from support.steps import Steps


@pytest.mark.parametrize(
    ("cause", "answers", "steps"),
    [
        ("run.requested", {}, ["ingest", "mine", "open_round"]),
        ("run.requested", {"ingest": False}, ["ingest"]),
        ("run.requested", {"mine": False}, ["ingest", "mine"]),
        ("run.requested", {"open_round": False}, ["ingest", "mine", "open_round"]),
        ("run.forked", {}, ["inherit", "open_round"]),
        ("run.forked", {"inherit": False}, ["inherit", "ingest", "mine", "open_round"]),
        ("round.settled", {"decide": "open_round"}, ["decide", "open_round"]),
        ("round.settled", {"decide": "end"}, ["decide"]),
    ],
)
def test_each_cause_and_answer_has_its_way(
    cause: str, answers: dict[str, Any], steps: list[str]
) -> None:
    desk = Steps(**answers)
    planner_graph().invoke({"step": cause, "index": 0}, context=desk)
    assert desk.taken == steps
