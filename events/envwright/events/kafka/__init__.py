"""Kafka as the bus: topics, the relay's publisher, doorbells, dead letters; see README.md."""

from envwright.events.extras import require

require("kafka", "kafka", "crc32c")

from envwright.events.kafka.address import KafkaAddress
from envwright.events.kafka.bus import KafkaBus, KafkaSubscription
from envwright.events.kafka.dead_letters import DeadLetter, read_dead_letters
from envwright.events.kafka.ear import Hearing
from envwright.events.kafka.publisher import KafkaPublisher
from envwright.events.kafka.topics import TopicSettings, ensure_topics

__all__ = [
    "DeadLetter",
    "Hearing",
    "KafkaAddress",
    "KafkaBus",
    "KafkaPublisher",
    "KafkaSubscription",
    "TopicSettings",
    "ensure_topics",
    "read_dead_letters",
]
