"""The tail of a topic: the last record that was committed, whatever was aborted after it."""

from contextlib import closing
from typing import Any

from kafka import TopicPartition

from envwright.events.cloudevents import from_message
from envwright.events.errors import InfrastructureError, UndecodableError
from envwright.events.kafka.address import KafkaAddress
from envwright.events.kafka.clients import consumer
from envwright.events.kafka.failures import explained
from envwright.events.messages import events_topic
from envwright.events.ports import Published

_FIRST_LOOK = 16
_PATIENCE_MS = 1000
_EMPTY_POLLS = 30


def last_published(address: KafkaAddress) -> Published:
    """Return the event with the highest position among the committed facts.

    Raises:
        InfrastructureError: the brokers cannot be reached, or a partition cannot be read.
    """
    topic = events_topic(address.prefix)
    with (
        explained(address, f"the end of {topic} could not be read"),
        closing(consumer(address)) as reader,
    ):
        partitions = reader.partitions_for_topic(topic)
        if not partitions:
            raise InfrastructureError(f"there is no topic {topic} at {','.join(address.servers)}")
        reader.assign([TopicPartition(topic, number) for number in sorted(partitions)])
        found = [_last(reader, partition) for partition in reader.assignment()]
    return max(found, key=lambda last: last.position)


def _last(reader: Any, partition: TopicPartition) -> Published:
    """Return the last committed event of a partition, looking further back until there is one."""
    first = reader.beginning_offsets([partition])[partition]
    end = reader.end_offsets([partition])[partition]
    others = [each for each in reader.assignment() if each != partition]
    reader.pause(*others)
    try:
        reach = _FIRST_LOOK
        while True:
            start = max(first, end - reach)
            last = _read(reader, partition, start, end)
            if last.position or start == first:
                return last
            reach *= 8
    finally:
        reader.resume(*others)


def _read(reader: Any, partition: TopicPartition, start: int, end: int) -> Published:
    last, empty = Published(0, ""), 0
    reader.seek(partition, start)
    while reader.position(partition) < end:
        records = reader.poll(timeout_ms=_PATIENCE_MS).get(partition, [])
        empty = 0 if records else empty + 1
        if empty > _EMPTY_POLLS:
            raise InfrastructureError(f"{partition.topic}[{partition.partition}] cannot be read")
        for record in records:
            try:
                envelope = from_message(record.headers, record.value)
            except UndecodableError:
                continue  # Somebody else wrote to our topic; readers of it are told.
            if envelope.position > last.position:
                last = Published(envelope.position, envelope.id)
    return last
