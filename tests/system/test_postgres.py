"""Whole runs with the log on a PostgreSQL server: as on SQLite, whatever is killed or restarted."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from envwright.agents.config import STORE_VARIABLE
from support.postgres_server import PASSWORD, PostgresServer
from support.runs import DESK, HELPDESK, SMALL, Driven, Spec, digests, run_once, variant, watching
from support.soundness import check_log
from support.waiting import alive, waited

pytestmark = [pytest.mark.postgres, pytest.mark.timeout(400)]

SLOWED = variant(DESK, max_delay=0.03)
TWO = variant(SLOWED, workers=2)

Begin = Callable[[Path, Spec, str], Driven]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Start drivers on a server, and kill those that are left at the end."""
    started: list[Driven] = []

    def start(home: Path, spec: Spec, url: str) -> Driven:
        started.append(Driven(home, spec, **{STORE_VARIABLE: url}))
        return started[-1]

    yield start
    for driven in started:
        if driven.process.returncode is None:
            driven.kill()


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of the same run on SQLite."""
    return run_once(tmp_path_factory, "desk", DESK)[1]


def assert_whole(home: Path, url: str, report: dict[str, Any], reference: dict[str, Any]) -> None:
    """Check that a run came to what it comes to on SQLite, and that its log is sound."""
    assert report["ending"] == "completed"
    assert digests(report) == digests(reference)
    assert report["rejected"] == reference["rejected"]
    with watching(home, url) as runtime:
        found = check_log(runtime)
    assert found.problems == [] and found.effects > 0
    assert not list(home.glob("*.sqlite*")), "the log is elsewhere"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_admits_what_it_admits_on_sqlite(
    reference: dict[str, Any], tmp_path: Path, postgres_url: str, begin: Begin, workers: int
) -> None:
    driven = begin(tmp_path, variant(DESK, workers=workers), postgres_url)
    assert_whole(tmp_path, postgres_url, driven.finish(), reference)


def test_a_killed_parent_takes_its_workers_along_and_the_run_is_resumed(
    reference: dict[str, Any], tmp_path: Path, postgres_url: str, begin: Begin
) -> None:
    driven = begin(tmp_path, TWO, postgres_url)
    driven.await_events(1, "attempt.finished")
    workers = driven.workers
    driven.kill()
    waited(lambda: [pid for pid in workers if alive(pid)], lambda left: not left)
    again = begin(tmp_path, variant(TWO, resume=driven.run), postgres_url)
    assert_whole(tmp_path, postgres_url, again.finish(), reference)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["shut down", "crashed"])
def test_a_server_that_is_restarted_in_mid_run_costs_nothing(
    reference: dict[str, Any],
    tmp_path: Path,
    postgres_server: PostgresServer,
    begin: Begin,
    how: signal.Signals,
) -> None:
    driven = begin(tmp_path, TWO, postgres_server.url)
    for kind in ("package.drafted", "attempt.finished"):
        driven.await_events(1, kind)
        postgres_server.restart(how=how)
    assert_whole(tmp_path, postgres_server.url, driven.finish(), reference)


def command(home: Path, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line with the store in the environment."""
    return subprocess.run(
        [sys.executable, "-m", "envwright.console.main", *arguments, "--home", str(home)],
        env={**os.environ, STORE_VARIABLE: url},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_demo_comes_to_the_same_packages_and_replays_without_a_divergence(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, postgres_url: str
) -> None:
    _, expected = run_once(tmp_path_factory, "small", SMALL)
    tools = str(HELPDESK.with_name("helpdesk-tools.json"))
    asked = ["--recipe", "toolspace", "--count", "3", "--seed", "7", "-k", "2", "--workers", "2"]
    made = command(tmp_path, postgres_url, "synth", str(HELPDESK), tools, *asked, "--json")
    assert made.returncode == 0, made.stderr
    report = json.loads(made.stdout)
    assert digests(report) == digests(expected)
    said = made.stdout + made.stderr
    for level in ("state", "execution"):
        replayed = command(
            tmp_path, postgres_url, "replay", report["run"], "--level", level, "--json"
        )
        assert replayed.returncode == 0, replayed.stderr
        found = json.loads(replayed.stdout)
        assert found["diverged"] is None and found["compared"] > 100
        said += replayed.stdout + replayed.stderr
    assert PASSWORD not in said
