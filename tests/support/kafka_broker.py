"""A real Kafka broker for tests: the one that is named, else one started in Docker or with Java."""

import atexit
import gc
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from envwright.events.kafka import KafkaAddress, TopicSettings
from support.rooms import ROOT

SMALL = TopicSettings(event_partitions=3, work_partitions=4)
"""Few partitions: a topic is made for each test."""

_numbers = count(1)


@cache
def cluster_module() -> ModuleType:
    """Load `deploy/kafka/cluster.py`, which starts and stops brokers."""
    path = ROOT / "deploy" / "kafka" / "cluster.py"
    spec = importlib.util.spec_from_file_location("deployed_cluster", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def new_cluster(folder: Path, brokers: int = 1, **settings: Any) -> Any:
    """Return a cluster of the test's own, not started: it may be killed and restarted."""
    cluster = cluster_module().new(folder, brokers=brokers)
    cluster.tied = True
    for name, value in settings.items():
        setattr(cluster, name, value)
    return cluster


@cache
def shared_servers() -> str:
    """Return the servers of this process's one broker, started by the first test that asks."""
    named = os.environ.get("KAFKA_BOOTSTRAP_SERVERS")
    if named:
        return named
    folder = Path(tempfile.mkdtemp(prefix="envwright-kafka-"))
    cluster = new_cluster(folder)

    def stop() -> None:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(stop)
    cluster.start()
    return str(cluster.bootstrap)


def fresh_address(servers: str | None = None) -> KafkaAddress:
    """Return the address of a deployment of its own: no other test uses its topics and groups."""
    prefix = f"test-{os.getpid()}-{next(_numbers)}"
    return KafkaAddress.parse(f"kafka://{servers or shared_servers()}/{prefix}")


@pytest.fixture
def address() -> KafkaAddress:
    """An address without topics."""
    return fresh_address()


@pytest.fixture(autouse=True)
def refused_connections(request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect the sockets that kafka-python leaves open where a broker refused a connection.

    Its log is silenced: its records would hold the sockets.
    """
    if request.node.get_closest_marker("kafka") is None:
        yield
        return
    log = logging.getLogger("kafka")
    level = log.level
    log.setLevel(logging.CRITICAL)
    yield
    log.setLevel(level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Any]:
    """A single broker that the test may kill."""
    own = new_cluster(tmp_path / "kafka")
    own.start()
    yield own
    own.stop()
