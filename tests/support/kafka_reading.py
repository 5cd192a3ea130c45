"""Reading topics in tests: everything that a reader of committed messages sees."""

from contextlib import closing
from typing import Any

from kafka import KafkaConsumer, TopicPartition

from envwright.events.kafka import KafkaAddress


def read_topic(address: KafkaAddress, topic: str) -> list[Any]:
    """Return the committed records of a topic, partition by partition, in their order."""
    with closing(
        KafkaConsumer(
            **address.client,
            isolation_level="read_committed",
            enable_auto_commit=False,
            auto_offset_reset="earliest",
        )
    ) as consumer:
        numbers = sorted(consumer.partitions_for_topic(topic) or ())
        partitions = [TopicPartition(topic, number) for number in numbers]
        consumer.assign(partitions)
        ends = consumer.end_offsets(partitions)
        found: dict[TopicPartition, list[Any]] = {each: [] for each in partitions}
        while any(consumer.position(each) < ends[each] for each in partitions):
            for partition, records in consumer.poll(timeout_ms=500).items():
                found[partition] += records
    return [record for partition in partitions for record in found[partition]]


def positions(address: KafkaAddress, topic: str) -> list[int]:
    """Return the positions of the events of a topic, sorted."""
    return sorted(int(dict(each.headers)["ce_position"]) for each in read_topic(address, topic))
