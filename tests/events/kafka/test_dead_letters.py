"""Dead letters, against a real broker: sent for certain, read back as they came."""

from contextlib import closing

import pytest

from envwright.events.errors import InfrastructureError
from envwright.events.kafka import KafkaAddress, ensure_topics, read_dead_letters
from envwright.events.kafka.dead_letters import DeadLetterOffice
from envwright.events.messages import dead_letter, doorbell_topic
from envwright.events.ports import Message
from support.kafka_broker import SMALL


@pytest.mark.kafka
def test_a_letter_comes_back_with_its_message_and_its_reasons(address):
    ensure_topics(address, SMALL)
    assert list(read_dead_letters(address)) == []
    topic = doorbell_topic("judge", address.prefix)
    message = Message(topic, b"key", (("h", b"\xff\x00"),), b"\x00value")
    with closing(DeadLetterOffice(address)) as office:
        for offset in (5, 6):
            office.send(dead_letter(message, error="E: no", attempts=2, partition=1, offset=offset))
    first, second = read_dead_letters(address)
    assert first.message == second.message == message
    assert first.place == f"{topic}.dead/0/0" and second.place == f"{topic}.dead/0/1"
    assert first.reasons == {
        "error-class": "E",
        "error": "E: no",
        "attempts": "2",
        "topic": topic,
        "partition": "1",
        "offset": "5",
    }


def test_no_broker_is_an_infrastructure_error():
    nowhere = KafkaAddress(("127.0.0.1:1",))
    with closing(DeadLetterOffice(nowhere)) as office:
        with pytest.raises(InfrastructureError):
            office.send(dead_letter(Message("t", b"", (), b""), error="x", attempts=1))
        with pytest.raises(InfrastructureError):
            list(read_dead_letters(nowhere))
