"""Following: each advance is told once, trouble is waited out, and the end comes at once."""

import logging
import threading

from envwright.events.errors import InfrastructureError
from envwright.store.following import Follower
from support.waiting import waited


class Model:
    """Something to catch up, whose position a test sets."""

    def __init__(self) -> None:
        self.position = 0
        self.away = 0
        self.asked = 0

    def catch_up(self) -> int:
        self.asked += 1
        if self.away:
            self.away -= 1
            raise InfrastructureError("no such server")
        return self.position


def test_each_advance_is_told_once_in_order():
    model, told = Model(), []
    with Follower(model, told.append, tick_seconds=0.005) as follower:
        for position in (0, 3, 7):
            model.position = position
            assert follower.wait_for(position, timeout=10)
        waited(lambda: model.asked, lambda asked: asked > 20)
    assert told == [0, 3, 7]


def test_waking_is_quicker_than_the_tick():
    model = Model()
    with Follower(model, tick_seconds=60) as follower:
        assert follower.wait_for(0, timeout=10)
        model.position = 1
        assert not follower.wait_for(1, timeout=0.05)
        follower.wake()
        assert follower.wait_for(1, timeout=10)


def test_a_database_that_is_away_is_waited_for(caplog):
    model = Model()
    model.away, model.position = 2, 5
    with (
        caplog.at_level(logging.WARNING),
        Follower(model, tick_seconds=0.005) as follower,
    ):
        assert follower.wait_for(5, timeout=10)
    assert [record.message for record in caplog.records] == [
        "read models wait 0.0 s: no such server"
    ] * 2


def test_leaving_the_context_ends_the_thread():
    with Follower(Model(), tick_seconds=60):
        assert "read-models" in {thread.name for thread in threading.enumerate()}
    assert "read-models" not in {thread.name for thread in threading.enumerate()}
