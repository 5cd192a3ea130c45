"""State replay as a level: every byte, each part by itself, the first divergence first."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.agents import Replayed, replay_run
from support.office import Office
from support.store_tampering import flip, tampering


@pytest.fixture
def copy(varied: Office, tmp_path: Path) -> Iterator[Office]:
    """A copy of the varied run's home that may be altered."""
    shutil.copytree(varied.home, tmp_path / "home")
    opened = Office(tmp_path / "home")
    yield opened
    opened.close()


def replay(office: Office, *, run: bool = True, keep_going: bool = False) -> Replayed:
    run_id = office.events("run.requested")[0].run_id if run else None
    return replay_run(office.runtime.config, "state", run_id, keep_going=keep_going)


def test_a_whole_log_and_a_run_of_it_are_proved(varied: Office) -> None:
    whole, one = replay(varied, run=False), replay(varied)
    assert whole.divergences == one.divergences == ()
    assert whole.compared == whole.counts["events"] == varied.runtime.log.head()
    assert one.compared == len([e for e in varied.events() if e.run_id])


def test_altered_bytes_are_named_the_first_alone_or_all(copy: Office) -> None:
    altered = [copy.events("verdict.reached")[0], copy.events("package.drafted")[-1]]
    altered.sort(key=lambda event: event.position)
    with tampering(copy.home) as raw:
        for event in altered:
            flip(raw, "payloads", "body", event.position, 30)
    assert [each.event for each in replay(copy).divergences] == [altered[0].id]
    found = replay(copy, keep_going=True)
    assert [each.event for each in found.divergences][:2] == [event.id for event in altered]


def test_a_hole_is_named(copy: Office) -> None:
    with tampering(copy.home) as raw:
        raw.execute("DELETE FROM events WHERE position = 7")
    found = replay(copy).diverged
    assert found is not None and found.expected == "position 7"
