"""The broker's fixtures for the tests of the Kafka adapter."""

from support.kafka_broker import address, cluster, refused_connections

__all__ = ["address", "cluster", "refused_connections"]
