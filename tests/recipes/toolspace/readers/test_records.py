"""Call records: single calls in any order become traces."""

import pytest

from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.records import RecordReader, is_record
from envwright.recipes.toolspace.readers.skips import Skips


def record(trace_id, seq, tool="get", **more):
    return {
        "trace_id": trace_id,
        "seq": seq,
        "service": "shop",
        "tool": tool,
        "args": {"k": seq},
        "result": {"n": seq},
        "status": "ok",
        **more,
    }


def read(*values):
    skips = Skips()
    reader = RecordReader(skips)
    for number, value in enumerate(values, start=1):
        reader.add(Element(f"log: line {number}", value))
    return reader.traces(), skips


def test_records_are_grouped_and_ordered_by_their_sequence():
    traces, _ = read(record("a", 2), record("b", 0), record("a", 0), record("a", 1))
    assert [[c.arguments["k"] for c in t.calls] for t in traces] == [[0, 1, 2], [0]]


def test_without_a_sequence_the_time_decides():
    first = record("a", None, ts="2026-01-01T00:00:01", args={"k": "first"})
    second = record("a", None, ts="2026-01-01T00:00:02", args={"k": "second"})
    traces, _ = read(second, first)
    assert [c.arguments["k"] for c in traces[0].calls] == ["first", "second"]


def test_the_users_words_are_kept():
    traces, _ = read(record("a", 0, user="please"), record("a", 1))
    assert traces[0].said == "please"


def test_service_and_failure_are_kept():
    traces, _ = read(record("a", 0, status="error", result="Error: no", error_code="404"))
    call = traces[0].calls[0]
    assert (call.service, call.ok, call.value) == ("shop", False, "Error: no")


def test_arguments_as_json_text_are_read():
    traces, _ = read(record("a", 0, args='{"k": 5}'))
    assert traces[0].calls[0].arguments == {"k": 5}


@pytest.mark.parametrize(
    "bad",
    [
        record(None, 0),
        record("a", 0, tool=""),
        record("a", 0, args=[1]),
        record("a", 0, args="{broken"),
        {"trace_id": "a", "tool": "get", "args": {}},
    ],
)
def test_a_record_that_cannot_be_used_is_a_skip(bad):
    traces, skips = read(bad, record("b", 0))
    assert (len(traces), skips.count) == (1, 1)
    assert skips.kept()[0].place == "log: line 1"


def test_a_record_is_known_by_its_fields():
    assert is_record(record("a", 0))
    assert not is_record({"tool": "get"})
    assert not is_record([])
