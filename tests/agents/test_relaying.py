"""A relay in a thread: it waits for a broker and for the log, and says how it ended."""

import threading

import pytest

from envwright.agents import relaying
from envwright.agents.relaying import RelayThread
from envwright.events.errors import BadInputError, InfrastructureError
from support.waiting import waited


class Carrier:
    """A relay that publishes one event a look, and fails as it is told."""

    def __init__(self, pending: int, *failures: Exception) -> None:
        self.pending, self.published, self.leads = pending, 0, False
        self.failures = list(failures)

    def lag(self) -> int:
        return self.pending

    def run(self, stop: threading.Event) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.leads = True
        while not stop.wait(0.01):
            if self.pending:
                self.pending -= 1
                self.published += 1


def started(carrier: Carrier, *absences: Exception) -> RelayThread:
    """Return a started thread whose broker is absent so often at first."""
    left = list(absences)

    def prepare() -> None:
        if left:
            raise left.pop(0)

    thread = RelayThread(carrier, prepare=prepare, close=lambda: None)
    thread.start()
    return thread


def test_a_broker_that_is_away_is_waited_for_and_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    away = InfrastructureError("nobody answers")
    thread = started(Carrier(3), away, away)
    waited(lambda: thread.relay.published == 3)
    thread.stop()
    assert thread.error is None and thread.prepared
    assert caplog.text.count("waits for a broker") == 1


def test_a_log_that_cannot_be_reached_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relaying, "_LOG_SECONDS", 0.01)
    thread = started(Carrier(1, InfrastructureError("gone"), InfrastructureError("gone")))
    waited(lambda: thread.relay.published == 1)
    thread.stop()


def test_what_no_waiting_mends_ends_it_and_is_told() -> None:
    for thread in (
        started(Carrier(1), BadInputError("another log's topics")),
        started(Carrier(1, BadInputError("another log's topics"))),
    ):
        waited(lambda thread=thread: not thread.alive())
        assert isinstance(thread.error, BadInputError)
        assert thread.drain(10) == 0, "nobody would publish: nothing is waited for"
        thread.stop()


def test_draining_waits_until_everything_is_published_or_the_time_is_over() -> None:
    carrier = Carrier(20)
    thread = started(carrier)
    waited(lambda: thread.prepared)
    assert thread.drain(30) == 0 and carrier.published == 20
    thread.stop()


def test_draining_gives_up_in_time() -> None:
    carrier = Carrier(0)
    carrier.lag = lambda: 7  # type: ignore[method-assign]
    thread = started(carrier)
    waited(lambda: thread.prepared)
    assert thread.drain(0.05) == 7
    thread.stop()
