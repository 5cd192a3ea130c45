"""The ear, against a real broker: what it keeps, what it gives back, and what it buries."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from kafka import TopicPartition

from envwright.events import Envelope
from envwright.events.catalog import PackageDrafted, RunPaused
from envwright.events.kafka import KafkaAddress, ensure_topics, read_dead_letters
from envwright.events.kafka.clients import consumer, producer
from envwright.events.kafka.dead_letters import DeadLetterOffice
from envwright.events.kafka.ear import Ear, Hearing
from envwright.events.messages import Announcer, doorbell_topic
from envwright.events.ports import Message
from support.facts import recorded
from support.kafka_broker import SMALL
from support.store_events import NO_BUNDLE
from support.waiting import waited

pytestmark = [pytest.mark.kafka]

HEARING = Hearing(poll_seconds=0.05, session_seconds=6.0, review_seconds=0.2)


def drafted(count: int) -> list[Envelope]:
    facts = [
        PackageDrafted(
            package=f"p{number}",
            round=1,
            ordinal=1,
            revision="a" * 64,
            bundle=NO_BUNDLE.model_copy(),
            gate_set=(),
            gate_set_digest="c" * 64,
        )
        for number in range(count)
    ]
    return [event.model_copy(update={"id": f"e{event.position}"}) for event in recorded(facts)]


def bells(address: KafkaAddress, events: list[Envelope]) -> list[Message]:
    """Return the doorbells of some events for the Tester."""
    topic = doorbell_topic("tester", address.prefix)
    messages = Announcer(lambda _: None, prefix=address.prefix).messages(events)
    return [message for message in messages if message.topic == topic]


@pytest.fixture
def ready(address: KafkaAddress) -> KafkaAddress:
    ensure_topics(address, SMALL)
    return address


@pytest.fixture
def ring(ready: KafkaAddress) -> Iterator[Callable[..., None]]:
    """Publishes messages as they are."""
    with closing(producer(ready)) as sender:

        def send(*messages: Message, partition: int | None = None) -> None:
            for topic, key, headers, value in messages:
                sender.send(topic, value, key, list(headers), partition).get(timeout=20)

        yield send


@contextmanager
def listening(address: KafkaAddress, **changes: Any) -> Iterator[Ear]:
    office = DeadLetterOffice(address)
    settings = {
        "known": lambda event: None,
        "settled": lambda event: False,
        "rang": lambda: None,
        "deaf": lambda trouble: None,
        "hearing": HEARING,
        **changes,
    }
    ear = Ear(address, "tester", f"{address.prefix}.testers", office=office, **settings)
    try:
        yield ear
    finally:
        ear.close()
        office.close()


def committed(address: KafkaAddress) -> dict[int, int]:
    """Return the committed offset of each partition of the Tester's doorbells."""
    topic = doorbell_topic("tester", address.prefix)
    with closing(consumer(address, group_id=f"{address.prefix}.testers")) as reader:
        numbers = sorted(reader.partitions_for_topic(topic))
        found = {number: reader.committed(TopicPartition(topic, number)) for number in numbers}
    return {number: offset for number, offset in found.items() if offset}


def test_a_doorbell_is_kept_until_it_is_done_and_its_offset_until_then(ready, ring):
    rang = threading.Event()
    ring(*bells(ready, drafted(3)), partition=1)
    with listening(ready, rang=rang.set) as ear:
        assert rang.wait(30)
        waited(ear.rung, lambda found: found == {"e1", "e2", "e3"})
        ear.done("e2")
        waited(lambda: committed(ready), lambda found: found == {})
        ear.done("e1")
        waited(lambda: committed(ready), lambda found: found == {1: 2})
        assert ear.rung() == {"e3"}
    with listening(ready) as ear:
        waited(ear.rung, lambda found: found == {"e3"})
        ear.done("e3")
        waited(lambda: committed(ready), lambda found: found == {1: 3})


def test_what_is_settled_already_is_not_kept(ready, ring):
    ring(*bells(ready, drafted(4)))
    with listening(ready, settled=lambda event: event.id != "e3") as ear:
        waited(ear.rung, lambda found: found == {"e3"})


def test_what_others_settle_is_forgotten_later(ready, ring):
    settled: set[str] = set()
    ring(*bells(ready, drafted(2)), partition=0)
    with listening(ready, settled=lambda event: event.id in settled) as ear:
        waited(ear.rung, lambda found: found == {"e1", "e2"})
        settled.add("e1")
        waited(ear.rung, lambda found: found == {"e2"})
        waited(lambda: committed(ready), lambda found: found == {0: 1})


def test_a_doorbell_that_rings_twice_is_kept_once(ready, ring):
    [bell] = bells(ready, drafted(1))
    ring(bell, bell, partition=2)
    with listening(ready) as ear:
        waited(lambda: [ear.position(each) for each in ear.assigned], lambda at: 2 in at)
        assert ear.rung() == {"e1"}
        ear.done("e1")
        waited(lambda: committed(ready), lambda found: found == {2: 2})


def test_what_is_no_doorbell_is_buried_with_its_reason_and_hides_nothing(ready, ring):
    topic = doorbell_topic("tester", ready.prefix)
    good, strange = bells(ready, drafted(2))
    paused = recorded([RunPaused(run="r", cause="user")])
    wrong = Announcer(lambda _: None, prefix=ready.prefix).messages(paused)[0]
    poison = Message(topic, b"k", (("x", b"\xff"), ("ce_id", b"e9")), b"\x00\xffnot json")
    ring(poison, wrong._replace(topic=topic), strange, good, partition=3)

    def known(event: Envelope) -> str | None:
        return "the log holds no event 'e2'" if event.id == "e2" else None

    with listening(ready, known=known) as ear:
        waited(ear.rung, lambda found: found == {"e1"})
        ear.done("e1")
        waited(lambda: committed(ready), lambda found: found == {3: 4})
    letters = list(read_dead_letters(ready))
    assert [letter.message for letter in letters] == [poison, wrong._replace(topic=topic), strange]
    told = letters[0].reasons
    assert told["error-class"] == "UndecodableError" and "is missing" in told["error"]
    assert (told["topic"], told["partition"], told["offset"]) == (topic, "3", "0")
    assert told["attempts"] == "1"
    assert "'run.paused' rings no tester" in letters[1].reasons["error"]
    assert "the log holds no event 'e2'" in letters[2].reasons["error"]


def test_a_message_without_key_and_value_is_buried_too(ready):
    topic = doorbell_topic("tester", ready.prefix)
    with closing(producer(ready)) as sender:
        sender.send(topic, None, b"k").get(timeout=20)
    with listening(ready):
        waited(lambda: list(read_dead_letters(ready)), lambda found: len(found) == 1)


def test_two_members_share_the_partitions_and_one_takes_over_what_the_other_leaves(ready, ring):
    events = drafted(24)
    ring(*bells(ready, events))
    every = {event.id for event in events}
    with listening(ready) as first:
        waited(first.rung, lambda found: found == every)
        with listening(ready) as second:
            waited(lambda: len(second.assigned), lambda count: count == 2)
            waited(lambda: len(first.assigned), lambda count: count == 2)
            assert not first.assigned & second.assigned
            waited(lambda: set(first.rung()) | set(second.rung()), lambda found: found == every)
            assert not set(first.rung()) & set(second.rung())
            some = set(list(second.rung())[:3])
            for event_id in some:
                second.done(event_id)
        waited(first.rung, lambda found: found >= every - some)
        assert len(first.assigned) == 4


def test_an_ear_that_has_enough_pauses_and_stays_a_member(ready, ring):
    ring(*bells(ready, drafted(60)), partition=0)
    with listening(ready, hearing=replace(HEARING, most=10, max_poll_seconds=2.0)) as ear:
        waited(ear.rung, lambda found: len(found) >= 10)
        heard = set(ear.rung())
        ring(*bells(ready, drafted(70)[60:]), partition=0)
        threading.Event().wait(3.0)
        assert set(ear.rung()) == heard and len(ear.assigned) == 4
        for number in range(1, 71):
            waited(ear.rung, lambda found, name=f"e{number}": name in found)
            ear.done(f"e{number}")


def test_an_ear_waits_for_a_broker_that_is_not_there():
    nowhere = KafkaAddress(("127.0.0.1:1",))
    with listening(nowhere) as ear:
        threading.Event().wait(0.5)
        assert ear.rung() == set() and ear.assigned == frozenset()
