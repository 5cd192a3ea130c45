"""The clients, and what is left behind where there is no broker."""

import os
import socket
import threading

import pytest

from envwright.events.errors import InfrastructureError
from envwright.events.kafka import KafkaAddress
from envwright.events.kafka.clients import admin, consumer, producer, reach

NOWHERE = KafkaAddress(("127.0.0.1:1", "127.0.0.1:2"))


@pytest.mark.parametrize("make", [admin, consumer, producer])
def test_a_client_that_finds_nobody_leaves_nothing_behind(make):
    before = (threading.active_count(), len(os.listdir("/proc/self/fd")))
    with pytest.raises(InfrastructureError, match="no broker listens at 127"):
        make(NOWHERE)
    assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == before


def test_one_server_that_listens_is_enough():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        reach(KafkaAddress(("127.0.0.1:1", f"127.0.0.1:{port}")))
