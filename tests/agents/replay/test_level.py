"""A plan's tasks are begun with those that take long, and count in their order."""

from envwright.agents.replay.level import ReplayPlan, in_order


def test_what_takes_long_is_begun_first() -> None:
    assert in_order(ReplayPlan(tasks=("a", "b", "c"), first=(2,))) == [2, 0, 1]
    assert in_order(ReplayPlan(tasks=("a", "b"))) == [0, 1]
