"""The checks of logs under faults can fail: on a loss, a double, a step, a changed byte."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from envwright.events import Envelope
from support.store_faults import LogCheck, Place, batches, check
from support.store_faults_cases import Committer, opened, refusal
from support.store_faults_reader import Follower, compare
from support.store_faults_writer import Task, committed


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place("sqlite", tmp_path)


@pytest.fixture
def events(place: Place) -> list[Envelope]:
    with opened(place) as log:
        Committer(log).go(6)
        return list(log.read_all())


def checked(events: list[Envelope]) -> LogCheck:
    found = LogCheck()
    found.advance(iter(events))
    return found


def followed(events: list[Envelope]) -> Follower:
    follower = Follower()
    for event in events:
        follower.take(event)
    return follower


def test_a_sound_log_has_no_problems(events):
    found = checked(events)
    found.expect({event.idempotency_key: event.position for event in events})
    assert found.problems == [] and compare(followed(events).seen, found) == []


def test_a_missing_event_is_found(events):
    assert "position 3 follows 1" in checked([events[0], *events[2:]]).problems


def test_a_double_is_found(events):
    said = checked([*events[:3], events[2], *events[3:]]).problems
    assert any("is there twice" in problem for problem in said)


def test_a_changed_byte_is_found(events):
    changed = events[1].model_copy(update={"payload": b"{}"})
    said = checked([events[0], changed, *events[2:]]).problems
    assert any("payload does not match" in problem for problem in said)


def test_what_was_acknowledged_and_is_not_there_is_found(events):
    found = checked(events)
    found.expect({"gone": 1, events[0].idempotency_key: 7})
    assert found.problems == [
        "1 acknowledged and lost: ['gone']",
        f"1 not where it was acknowledged: ['{events[0].idempotency_key}']",
    ]


def test_a_log_with_a_wrong_head_is_found(place):
    with opened(place) as log:
        Committer(log).go(3)
        log._database.write(lambda tx: tx.raw.execute("UPDATE log_head SET position = 99"))
    assert "the head row says 99" in check(place).problems[0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda events: [events[0], *events[2:]], "missed 1"),
        (lambda events: [*events, events[-1]], "1 events twice"),
        (lambda events: [events[1], events[0], *events[2:]], "out of order"),
    ],
    ids=["missed", "doubled", "swapped"],
)
def test_what_a_reader_saw_wrongly_is_found(events, change, problem):
    said = compare(followed(change(events)).seen, checked(events))
    assert any(problem in each for each in said)


def test_another_event_in_an_events_place_is_found(events):
    seen = followed(events).seen
    assert compare(replace(seen, order="other"), checked(events)) == [
        "a reader saw other events than the log holds"
    ]


def test_a_fault_that_is_not_refused_is_found():
    assert refusal(lambda: None, "full") == ["nothing was refused"]


def test_a_writer_that_begins_again_makes_the_same_commits():
    def keys(start: int) -> Iterator[tuple[str, ...]]:
        return (batch.keys for batch in batches("again", 1, slow=0.5, start=start))

    assert list(islice(keys(0), 3, 9)) == list(islice(keys(3), 6))


def test_a_slow_commit_is_made_once_and_acknowledged_where_it_is(place):
    task = Task(place, "slow", slow=1.0)
    with opened(place) as log:
        slow = next(batches("slow", 0, slow=1.0))
        assert slow.slow
        positions = committed(log, slow).positions
        task.notes.write_text(f"0 {positions[0]}\n")
        assert [event.position for event in log.read_all()] == [*positions]
    assert check(place, task.acknowledged()).problems == []
