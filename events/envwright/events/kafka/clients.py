"""Clients: kafka-python's producer, consumer and admin, made the way that the design needs them."""

import socket
from typing import Any

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer

from envwright.events.errors import InfrastructureError
from envwright.events.kafka.address import KafkaAddress

MESSAGE_BYTES = 1_048_576
"""Largest message: 64 KiB of payload, headers, and room for a batch of small ones."""

_BOOTSTRAP_SECONDS = 10.0
_REACH_SECONDS = 3.0


def reach(address: KafkaAddress) -> None:
    """Connect to the first server that listens.

    A consumer or admin of kafka-python that finds no broker leaves its thread and sockets behind;
    so none is made before somebody listens.

    Raises:
        InfrastructureError: none of the servers can be connected to.
    """
    failure: OSError | None = None
    for server in address.servers:
        host, _, port = server.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH_SECONDS).close()
            return
        except OSError as error:
            failure = error
    raise InfrastructureError(f"no broker listens at {','.join(address.servers)}: {failure}")


def producer(address: KafkaAddress, **settings: Any) -> Any:
    """Return a producer that writes each message once, to all replicas in sync.

    Raises:
        InfrastructureError: no server can be connected to.
    """
    reach(address)
    chosen = {
        "enable_idempotence": True,
        "acks": "all",
        "allow_auto_create_topics": False,
        "max_request_size": MESSAGE_BYTES,
        "bootstrap_timeout_ms": int(_BOOTSTRAP_SECONDS * 1000),
    }
    return KafkaProducer(**address.client, **chosen, **settings)


def consumer(address: KafkaAddress, **settings: Any) -> Any:
    """Return a consumer of what was committed, from the beginning, that commits when it is told.

    Raises:
        InfrastructureError: no server can be connected to.
    """
    reach(address)
    chosen = {
        "isolation_level": "read_committed",
        "enable_auto_commit": False,
        "auto_offset_reset": "earliest",
        "allow_auto_create_topics": False,
        "bootstrap_timeout_ms": int(_BOOTSTRAP_SECONDS * 1000),
    }
    return KafkaConsumer(**address.client, **chosen, **settings)


def admin(address: KafkaAddress) -> Any:
    """Return an admin client.

    Raises:
        InfrastructureError: no server can be connected to.
    """
    reach(address)
    return KafkaAdminClient(**address.client, bootstrap_timeout_ms=int(_BOOTSTRAP_SECONDS * 1000))
