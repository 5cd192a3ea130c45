"""A run that is killed at any moment goes on after a resume and admits the same revisions."""

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.runs import DESK, Driven, Spec, digests, run, run_once, variant, watching
from support.soundness import check_log
from support.waiting import alive, waited

pytestmark = pytest.mark.timeout(400)

SLOWED = variant(DESK, max_delay=0.03)
TWO = variant(DESK, workers=2, max_delay=0.03)

Start = Callable[[Path, Spec], Driven]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    _, report = run_once(tmp_path_factory, "desk", DESK)
    return report


def assert_whole(home: Path, report: dict[str, Any], reference: dict[str, Any]) -> None:
    """Check that a run came to what it comes to undisturbed, and that its log is sound."""
    assert report["ending"] == "completed"
    assert digests(report) == digests(reference)
    assert report["rejected"] == reference["rejected"]
    with watching(home) as runtime:
        found = check_log(runtime)
    assert found.problems == []
    assert found.effects > 0


@pytest.mark.slow
def test_a_process_that_is_killed_again_and_again_is_resumed_to_the_same_admissions(
    reference: dict[str, Any], tmp_path: Path, start: Start
) -> None:
    chance = random.Random(1)
    driven = start(tmp_path, SLOWED)
    for moment in sorted(chance.sample(range(2, reference["events"]), 3)):
        driven.await_events(moment)
        driven.kill()
        driven = start(tmp_path, variant(SLOWED, resume=driven.run, fault_seed=moment))
    assert_whole(tmp_path, driven.finish(), reference)


@pytest.mark.slow
def test_a_killed_worker_is_taken_over_by_the_other(
    reference: dict[str, Any], tmp_path: Path, start: Start
) -> None:
    driven = start(tmp_path, TWO)
    driven.await_events(1, "package.drafted")
    killed, survivor = driven.workers
    os.kill(killed, signal.SIGKILL)
    waited(lambda: alive(killed), lambda runs: not runs)
    report = driven.finish()
    assert_whole(tmp_path, report, reference)
    with watching(tmp_path) as runtime:
        writers = [event.actor.instance for event in runtime.log.read_all() if event.basis]
    assert f":{survivor}:" in writers[-1]


@pytest.mark.slow
def test_a_run_whose_workers_all_died_says_so_and_is_resumed(
    reference: dict[str, Any], tmp_path: Path, start: Start
) -> None:
    driven = start(tmp_path, TWO)
    driven.await_events(1, "package.drafted")
    for worker in driven.workers:
        os.kill(worker, signal.SIGKILL)
    said = driven.fail()
    assert said.count("was killed by signal 9") >= 2
    assert f"envwright resume {driven.run}" in said
    report = run(tmp_path, variant(DESK, resume=driven.run))
    assert_whole(tmp_path, report, reference)


@pytest.mark.slow
def test_a_killed_parent_takes_its_workers_along_and_the_run_is_resumed(
    reference: dict[str, Any], tmp_path: Path, start: Start
) -> None:
    driven = start(tmp_path, TWO)
    driven.await_events(1, "attempt.finished")
    workers = driven.workers
    driven.kill()
    report = run(tmp_path, variant(DESK, resume=driven.run))
    assert_whole(tmp_path, report, reference)
    waited(lambda: [pid for pid in workers if Path(f"/proc/{pid}").exists()], lambda left: not left)


def test_deleting_every_checkpoint_in_mid_run_changes_nothing(
    reference: dict[str, Any], tmp_path: Path, start: Start
) -> None:
    driven = start(tmp_path, SLOWED)
    deleted = 0
    for moment in range(10, reference["events"], 30):
        driven.await_events(moment)
        for path in tmp_path.glob("checkpoints.sqlite*"):
            path.unlink(missing_ok=True)
            deleted += 1
    assert deleted
    assert_whole(tmp_path, driven.finish(), reference)
