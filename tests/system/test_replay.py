"""Runs replay at every level without a divergence, however many workers and kills they had."""

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from envwright.agents import RuntimeConfig, replay_run
from envwright.agents.replay.level import LEVELS
from support.replay_worker import employ
from support.runs import DESK, SMALL, Driven, Spec, run, variant, watching
from support.untouched import holdings
from support.waiting import alive, waited

pytestmark = [pytest.mark.timeout(400), pytest.mark.slow]

Start = Callable[[Path, Spec], Driven]


@pytest.fixture(autouse=True)
def recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the workers of its replays know the desk recipe."""
    employ(monkeypatch)


def assert_replays(home: Path, run_id: str, *, workers: int = 2) -> None:
    """Check that a run replays at every level, that all of it is compared, and nothing written."""
    with watching(home) as runtime:
        head = runtime.log.head()
        counts = {
            name: len(list(runtime.log.read_all(types=(name,))))
            for name in ("gate.evaluated", "attempt.finished")
        }
    before = holdings(home)
    found = {
        level: replay_run(RuntimeConfig(home=home), level, run_id, workers=workers)
        for level in LEVELS
    }
    assert [replayed.diverged for replayed in found.values()] == [None, None, None]
    assert found["state"].counts["events"] == head
    assert found["execution"].counts["gates"] == counts["gate.evaluated"]
    assert found["execution"].counts["attempts"] == counts["attempt.finished"]
    assert found["decision"].counts["deliveries"] == len(before["inbox"])
    assert "unanswered" not in found["decision"].counts
    assert holdings(home) == before


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_a_run_replays_whatever_its_number_of_workers(tmp_path: Path, workers: int) -> None:
    report = run(tmp_path, variant(DESK, workers=workers))
    assert_replays(tmp_path, report["run"])


def test_a_run_on_a_log_of_the_demo_replays(tmp_path: Path) -> None:
    report = run(tmp_path, variant(SMALL, workers=2))
    assert_replays(tmp_path, report["run"])


def test_a_run_that_was_killed_again_and_again_replays(tmp_path: Path, start: Start) -> None:
    chance = random.Random(3)
    slowed = variant(DESK, max_delay=0.03)
    driven = start(tmp_path, slowed)
    for moment in sorted(chance.sample(range(10, 150), 3)):
        driven.await_events(moment)
        driven.kill()
        driven = start(tmp_path, variant(slowed, resume=driven.run, fault_seed=moment))
    assert driven.finish()["ending"] == "completed"
    assert_replays(tmp_path, driven.run)


def test_a_run_with_a_killed_worker_replays(tmp_path: Path, start: Start) -> None:
    driven = start(tmp_path, variant(DESK, workers=4, max_delay=0.03))
    driven.await_events(1, "package.drafted")
    killed = driven.workers[0]
    os.kill(killed, signal.SIGKILL)
    waited(lambda: alive(killed), lambda runs: not runs)
    assert driven.finish()["ending"] == "completed"
    assert_replays(tmp_path, driven.run)
