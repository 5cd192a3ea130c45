"""The past: reads end at a position, whatever has happened since."""

import pytest

from envwright.agents import as_of, is_past, position_of, run_report
from envwright.events.errors import BadInputError, LogError
from envwright.events.ports import Commit
from support.office import Office


def test_at_every_position_a_run_is_as_it_was_then(varied: Office) -> None:
    """Statuses and counts only ever come from events up to the position."""
    events = varied.events()
    run = events[0].run_id
    turning = ("round.opened", "package.admitted", "package.rejected", "run.completed")
    for event in (e for e in events if e.type in turning):
        then = as_of(varied.runtime, event.position)
        state = then.run_state(run)
        before = [e for e in events if e.position <= event.position]
        assert len(state.admitted) == sum(e.type == "package.admitted" for e in before)
        assert state.round == sum(e.type == "round.opened" for e in before)
        assert (state.status == "completed") is (event.type == "run.completed")
        assert run_report(then, run)["events"] == len([e for e in before if e.run_id == run])


def test_the_last_position_is_now(varied: Office) -> None:
    run = varied.events()[0].run_id
    head = varied.runtime.log.head()
    assert run_report(as_of(varied.runtime, head), run) == run_report(varied.runtime, run)
    assert not is_past(varied.runtime) and is_past(as_of(varied.runtime, head))


def test_versions_streams_and_ids_end_at_the_position(varied: Office) -> None:
    events = varied.events()
    for position in (1, len(events) // 3, len(events) - 1, len(events)):
        log = as_of(varied.runtime, position).log
        for stream in {event.stream for event in events}:
            there = [e for e in events if e.stream == stream and e.position <= position]
            assert log.version(stream) == len(there)
            assert list(log.read(stream)) == there
        assert log.head() == position
        assert [e.position for e in log.read_all()] == list(range(1, position + 1))
        assert list(log.read_all(up_to=position + 5, limit=2)) == events[:2][:position]
        assert log.get(events[position - 1].id) == events[position - 1]
        assert all(log.get(event.id) is None for event in events[position:][:3])


def test_what_is_read_in_the_past_is_not_seen_by_the_present(varied: Office) -> None:
    run = varied.events()[0].run_id
    assert varied.runtime.run_state(run).status == "completed"
    assert as_of(varied.runtime, 1).run_state(run).status == "requested"
    assert varied.runtime.run_state(run).status == "completed"


def test_the_past_cannot_be_written_and_holds_events_alone(varied: Office) -> None:
    log = as_of(varied.runtime, 3).log
    for refused in (
        lambda: log.commit(Commit()),
        lambda: log.inbox("g", "e"),
        lambda: log.cursor("c"),
        lambda: log.projection("runs"),
        lambda: log.projection_row("runs", "r"),
    ):
        with pytest.raises(LogError):
            refused()
    log.close()
    assert varied.runtime.log.head() > 3


def test_a_position_is_a_number_or_an_event(varied: Office) -> None:
    head = varied.runtime.log.head()
    assert position_of(varied.runtime, str(head)) == head
    assert position_of(varied.runtime, varied.events()[4].id) == 5
    for text, message in (
        (str(head + 1), f"beyond the head of the log, which is {head}"),
        ("0", "before the first event"),
        ("-1", "no position"),
        ("x", "no position"),
    ):
        with pytest.raises(BadInputError, match=message):
            position_of(varied.runtime, text)
