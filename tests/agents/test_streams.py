"""The cache of streams: what it asks the log for, and what it forgets."""

from collections.abc import Iterator

from envwright.agents.streams import StreamCache, StreamsAsOf
from envwright.events import Envelope
from envwright.events.catalog import RunResumed
from support.facts import recorded


class CountingLog:
    """Serves streams from memory and notes from where each was read."""

    def __init__(self, **streams: list[Envelope]) -> None:
        self.streams = streams
        self.asked: list[tuple[str, int]] = []

    def read(self, stream: str, *, after: int = 0, up_to: int | None = None) -> Iterator[Envelope]:
        self.asked.append((stream, after))
        yield from self.streams.get(stream, [])[after:up_to]


def cache(log: CountingLog, streams: int = 256) -> StreamCache:
    return StreamCache(log, streams)  # type: ignore[arg-type]


def resumed(count: int) -> list[Envelope]:
    return recorded(RunResumed(run="r") for _ in range(count))


def test_only_what_is_new_is_asked_of_the_log() -> None:
    log = CountingLog(a=resumed(2))
    streams = cache(log)
    assert len(streams.read("a")) == 2
    log.streams["a"] = resumed(5)
    assert len(streams.read("a")) == 5
    assert log.asked == [("a", 0), ("a", 2)]


def test_a_known_prefix_needs_no_log_at_all() -> None:
    log = CountingLog(a=resumed(3))
    streams = cache(log)
    streams.read("a")
    assert [event.sequence for event in streams.read("a", up_to=2)] == [1, 2]
    assert streams.read("a", up_to=0) == []
    assert len(log.asked) == 1
    assert len(streams.read("a", up_to=9)) == 3
    assert log.asked[1:] == [("a", 3)]


def test_what_is_handed_out_does_not_grow_or_change_the_cache() -> None:
    log = CountingLog(a=resumed(1))
    streams = cache(log)
    first = streams.read("a")
    first.clear()
    assert len(streams.read("a")) == 1


def test_the_stream_that_was_read_longest_ago_is_forgotten() -> None:
    log = CountingLog(a=resumed(1), b=resumed(1), c=resumed(1))
    streams = cache(log, 2)
    for name in ("a", "b", "a", "c"):
        streams.read(name)
    log.asked.clear()
    for name in ("a", "c", "b"):
        assert len(streams.read(name)) == 1
    assert log.asked == [("a", 1), ("c", 1), ("b", 0)]


def test_a_stream_as_of_a_position_has_nothing_that_came_later_but_what_was_read() -> None:
    log = CountingLog(s=resumed(5))
    past = StreamsAsOf(cache(log), log.streams["s"][1].position, {"s": 4, "t": 0})
    assert len(past.read("s")) == 4
    assert len(past.read("s", up_to=3)) == 3
    assert len(past.read("s", up_to=9)) == 4
    unread = StreamsAsOf(cache(log), log.streams["s"][1].position)
    assert len(unread.read("s")) == len(unread.read("s", up_to=4)) == 2
    assert unread.read("t") == []
