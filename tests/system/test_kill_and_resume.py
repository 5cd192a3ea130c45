"""A run that is killed at any moment goes on after a resume and admits the same revisions."""

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import pytest
from support.runs import SMALL, digests, finish, run, start, variant

from envwright.agents import RuntimeConfig, open_runtime
from envwright.agents.runtime import Runtime
from envwright.events import GENESIS, verify_hashes


def assert_sound(runtime: Runtime) -> None:
    """Chains verify, positions are contiguous, each effect has one recorded outcome."""
    previous: dict[str, str] = {}
    outcomes: Counter[str] = Counter()
    for position, envelope in enumerate(runtime.log.read_all(), start=1):
        assert envelope.position == position
        verify_hashes(envelope, previous.get(envelope.stream, GENESIS))
        previous[envelope.stream] = envelope.hash
        if envelope.type == "effect.completed":
            outcomes[str(envelope.data["key"])] += 1
    assert outcomes and set(outcomes.values()) == {1}


@pytest.mark.parametrize("moment", [0.3, 0.8, 1.5])
def test_a_killed_process_is_resumed_to_the_same_admissions(moment: float, tmp_path: Path) -> None:
    reference = digests(run(tmp_path / "reference", SMALL))
    home = tmp_path / "home"
    slowed = variant(SMALL, max_delay=0.05)
    process = start(home, slowed)
    assert process.stdout is not None
    run_id = process.stdout.readline().strip()
    time.sleep(moment)
    process.kill()
    process.communicate()
    report = run(home, {"resume": run_id})
    assert report["ending"] == "completed"
    assert digests(report) == reference
    runtime = open_runtime(RuntimeConfig(home=home))
    assert_sound(runtime)
    runtime.close()


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [int(child) for child in listed]


def test_one_killed_worker_of_two_is_taken_over(tmp_path: Path) -> None:
    reference = digests(run(tmp_path / "reference", SMALL))
    process = start(tmp_path / "home", variant(SMALL, workers=2, max_delay=0.05, lease_seconds=2))
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(4.0)
    workers = children(process.pid)
    assert len(workers) == 2
    os.kill(random.Random(1).choice(workers), signal.SIGKILL)
    report = finish(process)
    assert report["ending"] == "completed"
    assert digests(report) == reference


def test_deleting_every_checkpoint_in_mid_run_changes_nothing(tmp_path: Path) -> None:
    reference = digests(run(tmp_path / "reference", variant(SMALL, checkpoints=False)))
    home = tmp_path / "home"
    process = start(home, variant(SMALL, max_delay=0.03))
    assert process.stdout is not None
    process.stdout.readline()
    deleted = 0
    while process.poll() is None and deleted < 8:
        time.sleep(0.25)
        for path in home.glob("checkpoints.sqlite*"):
            path.unlink(missing_ok=True)
            deleted += 1
    assert deleted
    report = finish(process)
    assert digests(report) == reference
