"""A source: the right reader for each element, and a clear refusal of what holds no calls."""

import json

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes.toolspace.calls import CallLog, Manifest
from envwright.recipes.toolspace.readers.source import read_source
from support.clinic import lines, records, trajectories


def recorded(trace):
    return trace.said, [(c.tool, c.arguments, c.ok, c.value) for c in trace.calls]


def test_records_and_trajectories_of_one_log_give_equal_traces():
    flat = read_source("flat.jsonl", lines(records(5, service=""))).material
    chat = read_source("chat.json", json.dumps(trajectories(5)).encode()).material
    assert isinstance(flat, CallLog)
    assert isinstance(chat, CallLog)
    assert [recorded(trace) for trace in flat.traces] == [recorded(t) for t in chat.traces]


def test_a_source_is_counted():
    found = read_source("flat.jsonl", lines(records(4)))
    assert (found.format, found.records, found.skipped) == ("records", 4, 0)
    assert found.calls == len(records(4))


def test_json_lines_of_trajectories_are_read():
    found = read_source("chat.jsonl", lines(trajectories(3)))
    assert (found.format, found.records) == ("chat", 3)


def test_a_bad_line_and_a_strange_element_are_counted_skips_with_their_places():
    data = lines(records(2)) + b'{"broken": \n{"neither": "nor"}\n'
    found = read_source("log.jsonl", data)
    count = len(records(2))
    assert found.skipped == 2
    assert [skip.place for skip in found.skips] == [
        f"log.jsonl: line {count + 1}",
        f"log.jsonl: line {count + 2}",
    ]


def test_a_manifest_is_recognised():
    tool = {"type": "function", "function": {"name": "get", "parameters": {"type": "object"}}}
    found = read_source("tools.json", json.dumps([tool]).encode())
    assert found.format == "manifest"
    assert isinstance(found.material, Manifest)
    assert [t.name for t in found.material.tools] == ["get"]


@pytest.mark.parametrize(
    "document",
    [[], {}, [{"role": "user", "content": "hi"}], [{"a": 1}], {"messages": [{"role": "user"}]}],
)
def test_a_file_without_calls_is_refused_by_name(document):
    with pytest.raises(BadInputError, match=r"^chat\.json: there are no tool calls in it"):
        read_source("chat.json", json.dumps(document).encode())


def test_the_refusal_tells_the_first_problem():
    with pytest.raises(BadInputError, match="first problem: a.json: element 1: no known shape"):
        read_source("a.json", b'[{"a": 1}]')
