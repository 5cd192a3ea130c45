"""Dead letters: what was no doorbell is put aside as it came; all that was is read back."""

import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

from kafka import TopicPartition

from envwright.events import ROLES
from envwright.events.kafka.address import KafkaAddress
from envwright.events.kafka.clients import consumer, producer
from envwright.events.kafka.failures import explained
from envwright.events.messages import dead_topic, doorbell_topic
from envwright.events.ports import Message

_SECONDS = 30.0


class DeadLetter(NamedTuple):
    """A message of a dead-letter topic."""

    place: str
    """Topic, partition and offset: `<topic>.dead/0/17`."""
    reasons: dict[str, str]
    """What the `dead-…` headers say, by their names without `dead-`."""
    message: Message
    """The message as it once came, for the topic that it came from."""


class DeadLetterOffice:
    """Sends messages to the dead letters of their topics, each durable before `send` returns."""

    def __init__(self, address: KafkaAddress) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._producer: Any = None

    def send(self, letter: Message) -> None:
        """Publish a dead letter; after a crash it may come twice.

        Raises:
            InfrastructureError: the brokers did not take it.
        """
        with self._lock, explained(self._address, "a dead letter could not be published"):
            if self._producer is None:
                self._producer = producer(self._address, max_block_ms=int(_SECONDS * 1000))
            topic, key, headers, value = letter
            sent = self._producer.send(topic, value=value, key=key, headers=list(headers))
            sent.get(timeout=_SECONDS)

    def close(self) -> None:
        """Let go of the connections."""
        with self._lock:
            used, self._producer = self._producer, None
        if used is not None:
            used.close(timeout=1.0)


def read_dead_letters(address: KafkaAddress) -> Iterator[DeadLetter]:
    """Yield every dead letter that is kept, role by role, oldest first.

    Raises:
        InfrastructureError: the brokers cannot be reached.
    """
    topics = [dead_topic(doorbell_topic(role, address.prefix)) for role in ROLES]
    with (
        explained(address, "the dead letters could not be read"),
        closing(consumer(address)) as reader,
    ):
        for topic in topics:
            numbers = sorted(reader.partitions_for_topic(topic) or ())
            for partition in [TopicPartition(topic, number) for number in numbers]:
                yield from _read(reader, partition)


def _read(reader: Any, partition: TopicPartition) -> Iterator[DeadLetter]:
    reader.assign([partition])
    reader.seek_to_beginning(partition)
    end = reader.end_offsets([partition])[partition]
    while reader.position(partition) < end:
        for record in reader.poll(timeout_ms=1000).get(partition, []):
            yield _letter(record)


def _letter(record: Any) -> DeadLetter:
    reasons = {
        name.removeprefix("dead-"): value.decode("utf-8", "replace")
        for name, value in record.headers
        if name.startswith("dead-")
    }
    headers = tuple(header for header in record.headers if not header[0].startswith("dead-"))
    topic = reasons.get("topic", record.topic.removesuffix(".dead"))
    message = Message(topic, record.key or b"", headers, record.value or b"")
    return DeadLetter(f"{record.topic}/{record.partition}/{record.offset}", reasons, message)
