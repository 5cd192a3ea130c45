"""Whole runs over a broker: as on one machine alone, whoever works and whatever is killed."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envwright.events.kafka import KafkaAddress, read_dead_letters
from envwright.events.messages import events_topic
from support.commands import Command, Commands, commands
from support.kafka_broker import fresh_address, refused_connections
from support.kafka_reading import positions
from support.runs import DESK, HELPDESK, HELPDESK_TOOLS, SMALL, digests, run_once, watching
from support.soundness import check_log
from support.waiting import PATIENCE, waited

__all__ = ["refused_connections"]

pytestmark = [pytest.mark.kafka, pytest.mark.slow, pytest.mark.timeout(300)]

SHIFTS = (("planner", "builder", "tester"), ("critic", "solver", "judge"))
"""Roles by the worker process that serves them."""


@pytest.fixture
def bus() -> str:
    """URL of a bus that no other test uses."""
    address = fresh_address()
    return f"kafka://{','.join(address.servers)}/{address.prefix}"


@pytest.fixture
def shell(tmp_path: Path, bus: str) -> Iterator[Commands]:
    """Starts commands on a home and a bus of the test's own."""
    with commands(tmp_path, ENVWRIGHT_HOME=str(tmp_path / "home"), ENVWRIGHT_BUS=bus) as found:
        yield found


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of the desk run without a broker."""
    return run_once(tmp_path_factory, "desk", DESK)[1]


def desk_run(shell: Commands, *options: object) -> Command:
    """Ask for the run of DESK with `--workers 0` and other options."""
    source = shell.folder / "subjects.json"
    source.write_text(json.dumps(DESK["subjects"]), encoding="utf-8")
    settings = ["--count", 3, "--slots", 5, "--seed", 7, "-k", 2, "--recipe", "desk", "--json"]
    return shell.start("synth", source, *settings, *options)


def assert_whole(home: Path, report: dict[str, Any], expected: dict[str, Any], store: str) -> None:
    """Check that a run came to what it comes to without a broker, and that its log is sound."""
    assert report["status"] == "completed"
    assert digests(report) == digests(expected)
    with watching(home, store) as runtime:
        found = check_log(runtime)
        spans = [event.traceparent for event in runtime.log.read_all() if event.traceparent]
    assert found.problems == [] and found.effects > 0
    assert len({span.split("-")[1] for span in spans}) == 1, "one trace, whoever works"


def published(bus: str) -> list[int]:
    """Return the positions of the facts in the topic, sorted."""
    address = KafkaAddress.parse(bus)
    return positions(address, events_topic(address.prefix))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_with_its_own_workers_and_relay_admits_what_it_admits_without(
    reference: dict[str, Any], shell: Commands, bus: str, workers: int
) -> None:
    report = desk_run(shell, "--workers", workers).finish()
    home = shell.folder / "home"
    assert_whole(home, report, reference, "")
    with watching(home) as runtime:
        head = runtime.log.head()
    assert published(bus) == list(range(1, head + 1)), "each event once, when the command ends"


def test_kills_of_a_worker_and_of_the_relay_change_nothing(
    reference: dict[str, Any], shell: Commands, bus: str
) -> None:
    slow = {"ENVWRIGHT_FAULTS__MAX_DELAY": "0.1"}
    first, relay = shell.start("worker", **slow), shell.start("relay")
    asked = desk_run(shell, "--workers", 0, "--no-relay")
    home = shell.folder / "home"
    waited(lambda: (home / "log.sqlite").exists())
    with watching(home) as runtime:
        waited(lambda: len(list(runtime.log.read_all(types=("attempt.finished",)))))
    first.stop(signal.SIGKILL)
    relay.stop(signal.SIGKILL)
    second, again = shell.start("worker"), shell.start("relay")
    assert_whole(home, asked.finish(), reference, "")
    assert second.stop() == 0 and again.stop() == 0
    with watching(home) as runtime:
        head = runtime.log.head()
    assert published(bus) == list(range(1, head + 1))


def test_a_run_goes_on_without_a_broker_and_says_so_once(
    reference: dict[str, Any], tmp_path: Path
) -> None:
    away = {"ENVWRIGHT_BUS": "kafka://127.0.0.1:9/nowhere"}
    with commands(tmp_path, ENVWRIGHT_HOME=str(tmp_path / "home"), **away) as shell:
        command = desk_run(shell, "--workers", 1)
        report = command.finish()
        assert_whole(tmp_path / "home", report, reference, "")
        assert command.said.count("work goes on through the store") in (1, 2), command.said
        assert command.said.count("the relay waits for a broker") == 1, command.said


def test_a_worker_that_is_asked_to_stop_finishes_what_it_holds_and_ends_with_0(
    shell: Commands,
) -> None:
    worker = shell.start("worker", "--json", ENVWRIGHT_FAULTS__MAX_DELAY="2")
    asked = desk_run(shell, "--workers", 0)
    home = shell.folder / "home"
    waited(lambda: (home / "log.sqlite").exists())
    with watching(home) as runtime:
        waited(lambda: runtime.leases.holders())
        assert worker.stop() == 0, worker.said
        assert runtime.leases.holders() == ()
        # What was held was answered, not thrown away.
        assert not list(runtime.log.read_all(types=("work.expired",)))
    assert sum(worker.finish()["handled"].values()) > 0
    asked.stop(signal.SIGINT)


def test_a_poisoned_delivery_is_parked_told_and_replayed_after_the_fix(
    reference: dict[str, Any], shell: Commands, bus: str
) -> None:
    ill = shell.start("worker", TEST_POISONED_ROLE="critic")
    asked = desk_run(shell, "--workers", 0)
    # What nobody can work on any more is no run to wait for.
    assert asked.process.wait(PATIENCE) == 3
    assert "the critic is ill" in asked.said and "go on with" in asked.said
    assert ill.stop() == 0
    parked = shell.start("dead", "list", "--json").finish()["parked"]
    assert parked and {row["role"] for row in parked} == {"critic"}
    address = KafkaAddress.parse(bus)
    letters = [letter.reasons["work"] for letter in read_dead_letters(address)]
    assert sorted(letters) == sorted(row["work"] for row in parked)
    shell.start("worker")
    for row in parked:
        shell.start("dead", "replay", row["work"], "--json").finish()
    home = shell.folder / "home"
    with watching(home) as runtime:
        waited(lambda: list(runtime.log.read_all(types=("run.completed",))))
    report = shell.start("resume", parked[0]["run"], "--workers", 0, "--json").finish()
    assert_whole(home, report, reference, "")
    assert shell.start("dead", "list", "--json").finish()["parked"] == []


@pytest.mark.postgres
@pytest.mark.parametrize("each", [1, 2])
def test_workers_of_some_roles_on_a_server_and_a_broker_admit_what_one_process_admits(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, bus: str, postgres_url: str, each: int
) -> None:
    expected = run_once(tmp_path_factory, "small", SMALL)[1]
    home = tmp_path / "home"
    places = {"ENVWRIGHT_HOME": str(home), "ENVWRIGHT_STORE": postgres_url, "ENVWRIGHT_BUS": bus}
    with commands(tmp_path, **places) as shell:
        for shift in SHIFTS * each:
            shell.start("worker", *(word for role in shift for word in ("--role", role)))
        shell.start("relay")
        settings = ["--recipe", "toolspace", "--count", 3, "--seed", 7, "-k", 2, "--json"]
        asked = shell.start(
            "synth", HELPDESK, HELPDESK_TOOLS, *settings, "--workers", 0, "--no-relay"
        )
        assert_whole(home, asked.finish(), expected, postgres_url)
        codes = [command.stop() for command in shell.started]
    assert codes == [0] * len(codes)
