"""The way of a delivery through the Builder's graph."""

import pytest

from envwright.agents.builder import builder_graph
from support.steps import Steps


@pytest.mark.parametrize(("made", "steps"), [(True, ["make", "keep"]), (False, ["make"])])
def test_only_what_was_made_is_kept(made: bool, steps: list[str]) -> None:
    desk = Steps(make=made)
    builder_graph().invoke({"step": "brief.planned", "index": 0}, context=desk)
    assert desk.taken == steps
