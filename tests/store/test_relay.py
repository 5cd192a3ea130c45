"""The relay: what it publishes, where it goes on, and who leads."""

import threading
from collections.abc import Iterator, Sequence

import pytest

from envwright.events.errors import BadInputError, FencedError, InfrastructureError
from envwright.events.messages import doorbell_topic, events_topic
from envwright.events.ports import Message, Published
from envwright.store.relay import Relay
from support.store_adapters import SqliteAdapters
from support.store_events import commit, drafted, gate
from support.waiting import waited

CURSOR = "relay/envwright"


class Topics:
    """What a bus with transactions holds: whole batches, by whoever led last."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.epoch = 0
        self.away = 0
        """How many calls fail before the bus is there again."""

    def positions(self) -> list[int]:
        facts = (message for message in self.messages if message.topic == events_topic())
        return [int(dict(message.headers)["ce_position"]) for message in facts]


class MemoryPublisher:
    """A publisher on such a bus; `lose_answer` commits the next batch and says nothing of it."""

    def __init__(self, topics: Topics) -> None:
        self.topics = topics
        self.epoch = -1
        self.lose_answer = False

    def lead(self) -> Published:
        self._reach()
        self.topics.epoch += 1
        self.epoch = self.topics.epoch
        if not self.topics.messages:
            return Published(0, "")
        facts = [each for each in self.topics.messages if each.topic == events_topic()]
        headers = dict(facts[-1].headers)
        return Published(int(headers["ce_position"]), headers["ce_id"].decode())

    def publish(self, messages: Sequence[Message]) -> None:
        self._reach()
        if self.epoch != self.topics.epoch:
            raise FencedError("another relay leads")
        self.topics.messages.extend(messages)
        if self.lose_answer:
            self.lose_answer = False
            raise InfrastructureError("no answer")

    def close(self) -> None:
        self.epoch = -1

    def _reach(self) -> None:
        if self.topics.away:
            self.topics.away -= 1
            raise InfrastructureError("nobody there")


@pytest.fixture
def adapters(tmp_path) -> Iterator[SqliteAdapters]:
    adapters = SqliteAdapters(tmp_path / "home")
    yield adapters
    adapters.close()


def fill(adapters: SqliteAdapters, count: int, start: int = 0) -> None:
    for number in range(start, start + count):
        adapters.log.commit(commit(gate(str(number), f"p{number % 3}")))


def running(relay: Relay) -> tuple[threading.Thread, threading.Event]:
    stop = threading.Event()
    thread = threading.Thread(target=relay.run, args=(stop,))
    thread.start()
    return thread, stop


def test_every_event_is_published_once_in_position_order(adapters):
    topics = Topics()
    relay = Relay(adapters.log, MemoryPublisher(topics), batch=4)
    fill(adapters, 10)
    assert relay.lag() == 10
    assert relay.lead() == 0
    assert [relay.step() for _ in range(4)] == [4, 4, 2, 0]
    assert topics.positions() == list(range(1, 11))
    assert relay.lag() == 0 and relay.published == 10
    assert adapters.log.cursor(CURSOR) == 10


def test_a_fact_comes_before_the_doorbells_that_it_rings(adapters):
    topics = Topics()
    relay = Relay(adapters.log, MemoryPublisher(topics))
    adapters.log.commit(commit(drafted("1"), gate("2")))
    relay.lead()
    relay.step()
    assert [message.topic for message in topics.messages] == [
        events_topic(),
        doorbell_topic("tester"),
        events_topic(),
    ]


def test_a_restart_goes_on_at_the_cursor(adapters):
    topics = Topics()
    fill(adapters, 3)
    first = Relay(adapters.log, MemoryPublisher(topics))
    first.lead()
    first.step()
    topics.messages.clear()
    fill(adapters, 2, start=3)
    second = Relay(adapters.log, MemoryPublisher(topics))
    assert second.lead() == 3
    assert second.step() == 2


def test_what_was_committed_without_an_answer_is_not_published_again(adapters):
    topics = Topics()
    publisher = MemoryPublisher(topics)
    relay = Relay(adapters.log, publisher, batch=3)
    fill(adapters, 6)
    relay.lead()
    publisher.lose_answer = True
    with pytest.raises(InfrastructureError):
        relay.step()
    assert adapters.log.cursor(CURSOR) == 0
    assert relay.lead() == 3 and adapters.log.cursor(CURSOR) == 3
    relay.step()
    assert topics.positions() == [1, 2, 3, 4, 5, 6]


def test_a_stale_leader_publishes_nothing_and_moves_no_cursor(adapters):
    topics = Topics()
    old = Relay(adapters.log, MemoryPublisher(topics))
    new = Relay(adapters.log, MemoryPublisher(topics))
    fill(adapters, 2)
    old.lead()
    new.lead()
    with pytest.raises(FencedError):
        old.step()
    assert topics.positions() == [] and adapters.log.cursor(CURSOR) == 0
    assert new.step() == 2


def test_the_cursor_never_goes_back(adapters):
    topics = Topics()
    old = Relay(adapters.log, MemoryPublisher(topics), batch=2)
    new = Relay(adapters.log, MemoryPublisher(topics), batch=4)
    fill(adapters, 4)
    old.lead()
    pending = old._log.read_all(after=0, limit=2)
    old._publisher.publish(old._announcer.messages(pending))
    new.lead()
    new.step()
    old._advance(2)
    assert adapters.log.cursor(CURSOR) == 4
    assert topics.positions() == [1, 2, 3, 4]


def test_topics_of_another_log_are_refused(adapters, tmp_path):
    topics = Topics()
    elsewhere = SqliteAdapters(tmp_path / "elsewhere")
    fill(elsewhere, 3)
    other = Relay(elsewhere.log, MemoryPublisher(topics))
    other.lead()
    other.step()
    elsewhere.close()
    ours = Relay(adapters.log, MemoryPublisher(topics))
    with pytest.raises(BadInputError, match="position 3 and this log nothing.*another topic pref"):
        ours.lead()
    fill(adapters, 5)
    with pytest.raises(BadInputError, match="position 3 and this log event"):
        ours.lead()
    assert not ours.leads


def test_it_waits_for_a_bus_that_is_away_and_catches_up(adapters):
    topics = Topics()
    topics.away = 2
    relay = Relay(adapters.log, MemoryPublisher(topics), patience=0)
    fill(adapters, 3)
    thread, stop = running(relay)
    try:
        waited(topics.positions, lambda seen: seen == [1, 2, 3])
        waited(lambda: relay.leads)
        topics.away = 1
        fill(adapters, 2, start=3)
        relay.wake()
        waited(topics.positions, lambda seen: seen == [1, 2, 3, 4, 5])
    finally:
        stop.set()
        thread.join()
    assert not relay.leads


def test_of_two_relays_one_leads_and_the_other_takes_over(adapters):
    topics = Topics()
    relays = [Relay(adapters.log, MemoryPublisher(topics), patience=0.4) for _ in range(2)]
    fill(adapters, 3)
    threads = {relay: running(relay) for relay in relays}
    try:
        waited(topics.positions, lambda seen: len(seen) == 3)
        fill(adapters, 1, start=3)
        waited(lambda: [relay for relay in relays if relay.leads], lambda found: len(found) == 1)
        leader = next(relay for relay in relays if relay.leads)
        threads[leader][1].set()
        threads[leader][0].join()
        fill(adapters, 2, start=4)
        waited(topics.positions, lambda seen: seen == [1, 2, 3, 4, 5, 6])
    finally:
        for thread, stop in threads.values():
            stop.set()
            thread.join()


def test_relays_without_patience_do_not_take_turns_for_ever(adapters):
    topics = Topics()
    relays = [Relay(adapters.log, MemoryPublisher(topics), patience=0) for _ in range(2)]
    threads = [running(relay) for relay in relays]
    try:
        for number in range(30):
            fill(adapters, 1, start=number)
        waited(topics.positions, lambda seen: seen == list(range(1, 31)))
    finally:
        for thread, stop in threads:
            stop.set()
            thread.join()
    assert topics.epoch <= 6
