"""The way of a delivery through the Critic's graph."""

from envwright.agents.critic import critic_graph
from support.steps import Steps


def test_findings_are_collected_and_then_routed() -> None:
    desk = Steps()
    found = critic_graph().invoke({"step": "testing.completed", "index": 0}, context=desk)
    assert desk.taken == ["collect", "route"]
    assert found["index"] == 0
