"""Reading: what cannot be read is a failure, and what comes behind it is read all the same."""

import pytest

from envwright.agents.audit.findings import Check
from envwright.agents.audit.reading import fact_of, readable_events, stream_events
from support.audited_events import places
from support.store_tampering import tampering


def spoil(scroll, *positions: int) -> None:
    with tampering(scroll.home) as raw:
        for position in positions:
            raw.execute("UPDATE events SET header = ? WHERE position = ?", (b"nonsense", position))


@pytest.mark.parametrize("run", [None, "run-1"])
def test_all_events_are_read_in_order(scroll, run):
    scroll.write()
    check = Check()
    found = [event.position for event in readable_events(scroll.log, run, check)]
    assert found == list(range(1, scroll.log.head() + 1))
    assert (check.checked, check.failed) == (len(found), 0)


@pytest.mark.parametrize("spoiled", [(1,), (7,), (7, 8), (1, 3, 34)])
@pytest.mark.parametrize("run", [None, "run-1"])
def test_unreadable_events_are_named_and_passed_over(scroll, run, spoiled):
    scroll.write()
    spoil(scroll, *spoiled)
    check = Check()
    found = [event.position for event in readable_events(scroll.log, run, check)]
    everything = range(1, scroll.log.head() + 1)
    assert found == [position for position in everything if position not in spoiled]
    assert places(check.failures) == list(spoiled)


@pytest.mark.parametrize("body", [b"7", b"[1]", b"nonsense", "text", 7])
def test_a_payload_that_is_no_object_is_named(scroll, body):
    scroll.write()
    with tampering(scroll.home) as raw:
        raw.execute("UPDATE payloads SET body = ? WHERE position = 5", (body,))
    check = Check()
    found = [event.position for event in readable_events(scroll.log, None, check)]
    assert 5 not in found and len(found) == scroll.log.head() - 1
    assert places(check.failures) == [5]


def test_an_unreadable_event_of_one_run_is_found_among_those_of_others(scroll):
    scroll.write()
    writer = scroll.writer("run-2")
    first = scroll.events()[0].fact
    for _ in range(3):
        writer.say("operator", first.model_copy(update={"run": "run-2"}))
        writer.commit()
    spoil(scroll, scroll.log.head() - 1)
    check = Check()
    assert len(list(readable_events(scroll.log, "run-2", check))) == 2
    assert places(check.failures) == [scroll.log.head() - 1]


def test_a_stream_is_read_as_far_as_it_can(scroll):
    scroll.write()
    stream = scroll.events("package.drafted")[0].stream
    whole = stream_events(scroll.log, stream)
    spoil(scroll, whole[3].position)
    # What is behind it may have been read in one go with it, and is not given then.
    assert stream_events(scroll.log, stream) == whole[:3]


def test_a_fact_that_fits_no_schema_is_a_failure(scroll):
    scroll.write()
    event = scroll.events("package.drafted")[0]
    check = Check()
    assert fact_of(event, check) == event.fact and not check.failed
    assert fact_of(event.model_copy(update={"body": b'{"made":"up"}'}), check) is None
    assert fact_of(event.model_copy(update={"schema_version": 99}), check) is None
    assert check.failed == 2
