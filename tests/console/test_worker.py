"""The command `worker`: it serves runs that others asked for, and stops when it is told."""

import json
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from support.command_line import Finished, envwright
from support.commands import Commands, commands
from support.runs import digests


@pytest.fixture
def shell(tmp_path: Path) -> Any:
    """Starts commands on a home of the test's own."""
    with commands(tmp_path, ENVWRIGHT_HOME=str(tmp_path / "home")) as found:
        yield found


@pytest.mark.slow
def test_two_workers_serve_a_run_that_has_none_of_its_own(
    shell: Commands, finished: Finished, subjects: Path
) -> None:
    early = ["--role", "planner", "--role", "builder", "--role", "tester", "--concurrency", 2]
    first = shell.start("worker", *early, "--json")
    second = shell.start("worker", *["--role", "critic", "--role", "solver", "--role", "judge"])
    options = ["--count", 2, "--slots", 3, "--seed", 7, "-k", 2, "--workers", 0, "--json"]
    report = shell.start("synth", subjects, "--recipe", "desk", *options).finish()
    assert digests(report) == digests(finished.report)
    assert first.stop(signal.SIGINT) == 0 and second.stop() == 0
    found = first.finish()
    assert found["roles"] == ["tester", "builder", "planner"]
    assert set(found["claims"]) == {"tester", "builder", "planner"}
    assert "handled" in second.said and "as judge" in second.said


@pytest.mark.slow
def test_its_port_tells_of_its_health(shell: Commands) -> None:
    worker = shell.start("worker", "--role", "judge", "--port", 0)
    said = worker.await_word("/metrics")
    url = said.split("metrics at ")[1].split("/metrics")[0]
    for page, word in (
        ("healthz", "ok"),
        ("readyz", "ok"),
        ("metrics", 'envwright_lag{role="judge"}'),
    ):
        with urllib.request.urlopen(f"{url}/{page}") as answer:
            assert word in answer.read().decode()
    assert worker.stop() == 0


def test_a_role_that_is_none_is_refused(tmp_path: Path) -> None:
    result = envwright("worker", "--role", "poet", "--home", tmp_path / "home", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"].startswith("no role 'poet'; there are planner")


def test_a_port_beyond_loopback_wants_a_token(tmp_path: Path) -> None:
    options = ["--host", "0.0.0.0", "--port", 0, "--home", tmp_path / "home"]
    result = envwright("worker", *options)
    assert result.exit_code == 2 and "ENVWRIGHT_TOKEN" in result.stderr
