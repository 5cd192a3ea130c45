"""The commands `dead …`: what was given up is listed, shown, and opened again."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from envwright.events.kafka import ensure_topics
from envwright.events.kafka.clients import producer
from envwright.events.messages import dead_topic, doorbell_topic
from support.command_line import answer, envwright
from support.desk_recipe import SUBJECTS
from support.kafka_broker import SMALL, fresh_address, refused_connections
from support.office import Office

__all__ = ["refused_connections"]

ERROR = "ZeroDivisionError: the desk is upside down"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    """A process on a home with one parked delivery."""
    opened = Office(tmp_path / "home")
    opened.request(*SUBJECTS)
    _, claim = opened.claim(opened.events("run.requested")[-1])
    opened.runtime.leases.park(claim, error=ERROR)
    yield opened
    opened.close()


def test_what_is_parked_is_listed_and_shown(office: Office, tmp_path: Path) -> None:
    home = ["--home", tmp_path / "home"]
    found = answer("dead", "list", *home)
    [row] = found["parked"]
    assert found["strays"] == []
    assert (row["role"], row["type"], row["error"]) == ("planner", "run.requested", ERROR)
    shown = answer("dead", "show", row["work"][:10], *home)
    assert shown["event"]["type"] == "run.requested" and shown["failures"] == row["failures"]
    assert answer("dead", "list", "--run", row["run"], *home) == found
    for page in (
        envwright("dead", "list", *home),
        envwright("dead", "show", row["work"], *home),
        envwright("show", row["run"], *home),
    ):
        assert page.exit_code == 0 and "upside down" in page.stdout, page.stderr
    assert answer("show", row["run"], *home)["dead"] == [row]


def test_what_is_replayed_is_open_again_with_its_failures_forgotten(
    office: Office, tmp_path: Path
) -> None:
    home = ["--home", tmp_path / "home"]
    [row] = answer("dead", "list", *home)["parked"]
    run = row["run"]
    assert answer("dead", "replay", row["work"], *home)["run"] == run
    assert answer("dead", "list", *home)["parked"] == []
    assert office.runtime.leases.state(row["work"]) == "open"
    _, claim = office.claim(office.events("run.requested")[-1])
    assert claim.failures == 0
    office.runtime.leases.release(claim)
    assert office.finish(run) == "completed"


def test_only_the_one_that_is_named_is_replayed(office: Office, tmp_path: Path) -> None:
    home = ["--home", tmp_path / "home"]
    office.request(*SUBJECTS)
    _, claim = office.claim(office.events("run.requested")[-1])
    office.runtime.leases.park(claim, error="another")
    first, second = answer("dead", "list", *home)["parked"]
    answer("dead", "replay", second["work"], *home)
    assert answer("dead", "list", *home)["parked"] == [first]


@pytest.mark.parametrize("command", ["show", "replay"])
def test_an_id_that_is_not_parked_is_exit_2(office: Office, tmp_path: Path, command: str) -> None:
    result = envwright("dead", command, "wrk-nothing", "--home", tmp_path / "home")
    assert result.exit_code == 2 and "envwright dead list" in result.stderr
    message = envwright("dead", command, "some.topic.dead/0/1", "--home", tmp_path / "home")
    assert message.exit_code == 2 and "message" in message.stderr


@pytest.mark.kafka
def test_messages_that_are_no_delivery_are_listed_and_shown(office: Office, tmp_path: Path) -> None:
    address = fresh_address()
    ensure_topics(address, SMALL)
    bus = f"kafka://{','.join(address.servers)}/{address.prefix}"
    topic = dead_topic(doorbell_topic("tester", address.prefix))
    with closing(producer(address)) as sender:
        headers = [("dead-error", b"no event"), ("dead-topic", topic.encode())]
        sender.send(topic, b"\xffrubbish", b"key", headers).get(timeout=20)
    options = ["--home", tmp_path / "home", "--bus", bus]
    found = answer("dead", "list", *options)
    [stray] = found["strays"]
    assert stray["place"] == f"{topic}/0/0" and stray["error"] == "no event"
    assert len(found["parked"]) == 1
    shown = answer("dead", "show", stray["place"], *options)
    assert shown["value"] == "\\xffrubbish"
    page = envwright("dead", "list", *options)
    assert page.exit_code == 0 and "no event" in page.stdout
    assert envwright("dead", "show", f"{topic}/0/7", *options).exit_code == 2
