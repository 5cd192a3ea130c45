"""The broker of `deploy/kafka`: one command starts, shows and stops it, and its data stays."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from envwright.events import Envelope
from envwright.events.catalog import RunPaused
from envwright.events.errors import InfrastructureError
from envwright.events.kafka import KafkaAddress, KafkaPublisher, TopicSettings, ensure_topics
from envwright.events.kafka.clients import admin
from envwright.events.messages import Announcer, events_topic
from envwright.events.ports import Message
from support.facts import recorded
from support.kafka_broker import cluster_module, fresh_address, new_cluster
from support.kafka_reading import positions
from support.rooms import ROOT
from support.waiting import waited

BROKER = ROOT / "deploy" / "kafka" / "broker"


def broker(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("KAFKA_")}
    return subprocess.run(
        [str(BROKER), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**clean, "PYTHON": sys.executable, **environment},
    )


def test_a_broker_that_is_named_is_used_and_none_is_started(tmp_path):
    done = broker("start", "--folder", str(tmp_path), KAFKA_BOOTSTRAP_SERVERS="one:9092")
    assert (
        done.returncode == 0 and "one:9092" in done.stdout and "nothing was started" in done.stdout
    )
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_is_said_with_the_command_that_brings_it(tmp_path):
    empty = tmp_path / "bin"
    empty.mkdir()
    for name in ("sh", "dirname"):
        (empty / name).symlink_to(str(shutil.which(name)))
    done = broker("start", "--folder", str(tmp_path), PATH=str(empty))
    assert done.returncode == 3
    assert "apt-get install openjdk-17-jre-headless" in done.stderr
    (empty / "java").symlink_to("/bin/true")
    cache = str(tmp_path / "cache")
    done = broker("start", "--folder", str(tmp_path), PATH=str(empty), XDG_CACHE_HOME=cache)
    assert done.returncode == 3 and "apt-get install maven" in done.stderr


def test_where_none_was_started_there_is_nothing_to_show_or_stop(tmp_path):
    status = broker("status", "--folder", str(tmp_path))
    assert status.returncode == 3 and "no broker was started" in status.stderr
    assert broker("stop", "--folder", str(tmp_path)).returncode == 0


def test_every_node_has_its_own_ports_and_knows_the_others(tmp_path):
    module = cluster_module()
    cluster = module.Cluster(tmp_path, "docker", tuple(range(9092, 9098)))
    assert cluster.brokers == 3
    assert cluster.bootstrap == "127.0.0.1:9092,127.0.0.1:9093,127.0.0.1:9094"
    text = cluster.properties(2)
    assert "node.id=2" in text and "PLAINTEXT://127.0.0.1:9093" in text
    assert "CONTROLLER://127.0.0.1:9096" in text
    assert "controller.quorum.voters=1@127.0.0.1:9095,2@127.0.0.1:9096,3@127.0.0.1:9097" in text
    assert "min.insync.replicas=2" in text and "log.dirs=/var/lib/kafka/data" in text


@pytest.mark.kafka
@pytest.mark.slow
def test_one_command_starts_shows_and_stops_it_and_what_it_holds_stays(tmp_path):
    port = str(cluster_module().free_ports(2)[0])
    where = ("--folder", str(tmp_path / "kafka"))
    try:
        started = broker("start", "--port", port, *where)
        assert started.returncode == 0, started.stderr
        servers = started.stdout.split()[0]
        assert servers == f"127.0.0.1:{port}"
        with closing(admin(KafkaAddress((servers,)))) as client:
            client.create_topics(["kept"])
        again = broker("start", "--port", port, *where)
        assert again.stdout == started.stdout
        assert f"broker 1: {servers} answers" in broker("status", *where).stdout
        assert "stop them first" in broker("start", "--brokers", "3", *where).stderr
        assert broker("stop", *where).returncode == 0
        assert broker("status", *where).returncode == 3
        assert broker("start", "--port", port, *where).returncode == 0
        with closing(admin(KafkaAddress((servers,)))) as client:
            assert client.list_topics() == ["kept"]
    finally:
        broker("stop", *where)


@pytest.mark.kafka
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_three_brokers_go_on_without_one_and_take_it_back(tmp_path):
    cluster = new_cluster(tmp_path / "kafka", brokers=3)
    publisher = None
    try:
        cluster.start()
        address = fresh_address(cluster.bootstrap)
        ensure_topics(address, TopicSettings(event_partitions=3, work_partitions=3))
        facts = recorded_many(90)
        messages = Announcer(lambda _: None, prefix=address.prefix).messages(facts)
        publisher = KafkaPublisher(address, timeout=20.0)
        publish(publisher, messages, 0, 30)
        cluster.kill(2)
        publish(publisher, messages, 30, 60)
        cluster.start_node(2)
        cluster.wait_for(2)
        cluster.signal(3, signal.SIGSTOP)
        publish(publisher, messages, 60, 90)
        cluster.signal(3, signal.SIGCONT)
        topic = events_topic(address.prefix)
        waited(lambda: positions(address, topic), lambda seen: seen == list(range(1, 91)))
    finally:
        if publisher is not None:
            publisher.close()
        cluster.stop()
    assert not any(cluster.alive(node) for node in cluster.nodes)


def recorded_many(count: int) -> list[Envelope]:
    events = recorded([RunPaused(run=f"r{i % 5}", cause="user") for i in range(count)])
    return [event.model_copy(update={"id": f"e{event.position}"}) for event in events]


def publish(publisher: KafkaPublisher, messages: list[Message], start: int, end: int) -> None:
    """Publish as the relay does: lead anew after an error, and go on where that says."""
    at = start
    while at < end:
        try:
            at = publisher.lead().position
            publisher.publish(messages[at:end])
            at = end
        except InfrastructureError:
            continue


def test_the_cache_is_where_the_desktop_says(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = Path(cluster_module().cache())
    assert kept.parent == tmp_path / "envwright" and kept.name.startswith("kafka-")
