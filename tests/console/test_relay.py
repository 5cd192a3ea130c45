"""The command `relay`: it carries a log to a broker until it is stopped."""

import json
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from envwright.events.kafka import KafkaAddress
from envwright.events.messages import events_topic
from support.command_line import Finished, envwright
from support.commands import commands
from support.kafka_broker import fresh_address, refused_connections
from support.kafka_reading import positions

__all__ = ["refused_connections"]


def test_without_a_broker_there_is_nothing_to_do(tmp_path: Path) -> None:
    result = envwright("relay", "--home", tmp_path / "home", "--json")
    assert result.exit_code == 2
    assert "--bus" in json.loads(result.stdout)["error"]


@pytest.mark.slow
def test_it_waits_for_a_broker_that_is_away_and_is_not_ready_meanwhile(tmp_path: Path) -> None:
    places = {"ENVWRIGHT_HOME": str(tmp_path / "home"), "ENVWRIGHT_BUS": "kafka://127.0.0.1:9/x"}
    with commands(tmp_path, **places) as shell:
        relay = shell.start("relay", "--port", 0)
        said = relay.await_word("waits for a broker")
        url = said.split("metrics at ")[1].split("/metrics")[0]
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{url}/readyz")
        with refused.value as answer:
            assert answer.code == 503 and b"no broker has answered" in answer.read()
        assert relay.stop() == 0


@pytest.mark.kafka
@pytest.mark.slow
def test_it_brings_a_whole_log_every_event_once(finished: Finished, tmp_path: Path) -> None:
    address: KafkaAddress = fresh_address()
    bus = f"kafka://{','.join(address.servers)}/{address.prefix}"
    with finished.runtime() as runtime:
        head = runtime.log.head()
    # A copy: the cursor of a relay is kept in the log.
    home = tmp_path / "home"
    home.mkdir()
    for file in finished.home.glob("log.sqlite*"):
        (home / file.name).write_bytes(file.read_bytes())
    with commands(tmp_path, ENVWRIGHT_HOME=str(home), ENVWRIGHT_BUS=bus) as shell:
        relay = shell.start("relay", "--port", 0, "--json")
        said = relay.await_word("/metrics")
        url = said.split("metrics at ")[1]
        found = ""
        while f"envwright_relay_published_total {float(head)}" not in found:
            assert not relay.ended, relay.said
            with urllib.request.urlopen(url.strip()) as answer:
                found = answer.read().decode()
        assert relay.stop() == 0
        assert relay.finish() == {"published": head}
        assert positions(address, events_topic(address.prefix)) == list(range(1, head + 1))
