"""The tail of the facts, against a real broker: the last committed event, whatever was aborted."""

from contextlib import closing

import pytest

from envwright.events.catalog import RunPaused
from envwright.events.errors import InfrastructureError
from envwright.events.kafka import KafkaAddress, KafkaPublisher, ensure_topics
from envwright.events.kafka.clients import producer
from envwright.events.kafka.tail import last_published
from envwright.events.messages import Announcer, events_topic
from envwright.events.ports import Message, Published
from support.facts import recorded
from support.kafka_broker import SMALL

pytestmark = [pytest.mark.kafka]


def messages(address: KafkaAddress, count: int) -> list[Message]:
    """Messages of one key: they share a partition."""
    events = [
        event.model_copy(update={"id": f"e{event.position}"})
        for event in recorded([RunPaused(run="r", cause="user") for _ in range(count)])
    ]
    return Announcer(lambda _: None, prefix=address.prefix).messages(events)


def test_empty_topics_hold_nothing(address):
    ensure_topics(address, SMALL)
    assert last_published(address) == Published(0, "")


def test_topics_that_are_not_there_are_said(address):
    with pytest.raises(InfrastructureError, match="there is no topic"):
        last_published(address)


def test_the_last_committed_event_is_found_behind_many_aborted_ones(address):
    ensure_topics(address, SMALL)
    told = messages(address, 210)
    publisher = KafkaPublisher(address)
    publisher.lead()
    publisher.publish(told[:4])
    publisher.close()
    settings = {"transactional_id": f"{address.prefix}.other"}
    with closing(producer(address, **settings)) as other:
        other.init_transactions()
        for start in range(4, 204, 50):
            other.begin_transaction()
            for topic, key, headers, value in told[start : start + 50]:
                other.send(topic, value, key, list(headers))
            other.flush()
            other.abort_transaction()
    assert last_published(address) == Published(4, "e4")


def test_what_others_wrote_last_is_passed_over(address):
    ensure_topics(address, SMALL)
    told = messages(address, 2)
    publisher = KafkaPublisher(address)
    publisher.lead()
    publisher.publish(told)
    publisher.close()
    with closing(producer(address)) as other:
        for _ in range(40):
            other.send(events_topic(address.prefix), b"no event", told[0].key)
        other.flush()
    assert last_published(address) == Published(2, "e2")
