"""Call records: single calls in any order become traces."""

import pytest

from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.jsontext import parse
from envwright.recipes.toolspace.readers.records import RecordReader
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
        assert RecordReader.recognises(value)
        reader.take(Element(f"log: line {number}", value))
    assert reader.manifests() == ()
    return reader.traces(), skips


def test_records_are_grouped_and_ordered_by_their_sequence():
    traces, _ = read(record("a", 2), record("b", 0), record("a", 0), record("a", 1))
    assert [[c.arguments["k"] for c in t.calls] for t in traces] == [[0, 1, 2], [0]]


def test_sequence_numbers_may_be_text():
    traces, _ = read(record("a", "10"), record("a", "9"), record("a", "8.5"))
    assert [c.arguments["k"] for c in traces[0].calls] == ["8.5", "9", "10"]


def test_without_a_sequence_the_time_decides():
    first = record("a", None, ts="2026-01-01T00:00:01Z", args={"k": "first"})
    second = record("a", None, ts="2026-01-01T01:00:02+01:00", args={"k": "second"})
    traces, _ = read(second, first)
    assert [c.arguments["k"] for c in traces[0].calls] == ["first", "second"]


def test_without_either_the_order_of_the_records_decides():
    values = [{**record("a", None, args={"k": k})} for k in "cab"]
    traces, _ = read(*values)
    assert "".join(c.arguments["k"] for c in traces[0].calls) == "cab"


def test_the_users_words_are_kept_once():
    traces, _ = read(record("a", 0, user="please"), record("a", 1), record("a", 2, user="please"))
    assert traces[0].said == "please"


def test_service_and_failure_are_kept():
    traces, _ = read(record("a", 0, status="error", result="Error: no", error_code="404"))
    call = traces[0].calls[0]
    assert (call.service, call.ok, call.value) == ("shop", False, "Error: no")


def test_other_names_of_the_fields_are_known():
    value = {"session_id": 5, "tool_name": "get", "input": '{"k": 5}', "output": "one"}
    traces, _ = read(value)
    assert (traces[0].task, traces[0].calls[0].arguments) == ("5", {"k": 5})


def test_ids_that_look_like_numbers_stay_text():
    traces, _ = read(record("a", 0, args={"k": "007"}, result={"price": "12.50", "n": 1.0}))
    call = traces[0].calls[0]
    assert (call.arguments, call.value) == ({"k": "007"}, {"price": "12.50", "n": 1})


def test_a_call_that_is_recorded_twice_under_one_number_counts_once():
    traces, skips = read(record("a", 1), record("a", 1), record("a", 1, args={"k": 9}))
    assert [c.arguments["k"] for c in traces[0].calls] == [1, 9]
    assert [s.place for s in skips.kept()] == ["log: line 2"]


def test_equal_calls_without_numbers_are_all_kept():
    traces, _ = read(*[record("a", None)] * 3)
    assert len(traces[0].calls) == 3


@pytest.mark.parametrize(
    "bad",
    [
        record(None, 0),
        record([1], 0),
        record("a", 0, tool=""),
        record("a", 0, tool=["get"]),
        record("a", 0, args=[1]),
        record("a", 0, args="{broken"),
        record("a", 0, args=parse('{"k": NaN}')),
        record("a", 0, result=parse('{"k": 1, "k": 2}')),
        record("a", 0, result='{"k": Infinity}'),
        record("a", 0, tool="get\ud800"),
        {"trace_id": "a", "tool": "get", "args": {}},
    ],
)
def test_a_record_that_cannot_be_used_is_a_skip(bad):
    traces, skips = read(bad, record("b", 0))
    assert (len(traces), skips.count) == (1, 1)
    assert skips.kept()[0].place == "log: line 1"


def test_a_record_is_known_by_its_fields():
    assert RecordReader.recognises(record("a", 0))
    assert not RecordReader.recognises({"tool": "get"})
    assert not RecordReader.recognises([])
