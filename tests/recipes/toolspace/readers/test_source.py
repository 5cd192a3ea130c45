"""A source: the right reader for each element, and a clear refusal of what holds no calls."""

import json

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes.toolspace.calls import CallLog, Manifest
from envwright.recipes.toolspace.readers.source import READERS, read_source
from support.clinic import lines, records, trajectories

TOOL = {"type": "function", "function": {"name": "get", "parameters": {"type": "object"}}}
CHAT = {
    "task_id": 1,
    "messages": [
        {"role": "assistant", "function_call": {"name": "get", "arguments": "{}"}},
        {"role": "function", "name": "get", "content": "one"},
    ],
}
RECORD = {"trace_id": 1, "tool": "get", "args": {}, "result": "one"}
ASKED = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get"}}
GIVEN = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "one"}]}}
SPAN = {
    "name": "execute_tool get",
    "traceId": "t",
    "attributes": {"gen_ai.tool.call.arguments": "{}", "gen_ai.tool.call.result": "one"},
}


def recorded(trace):
    return trace.said, [(c.tool, c.arguments, c.ok, c.value) for c in trace.calls]


def test_records_and_trajectories_of_one_log_give_equal_traces():
    flat = read_source("flat.jsonl", lines(records(5, service=""))).material
    chat = read_source("chat.json", json.dumps(trajectories(5)).encode()).material
    assert isinstance(flat, CallLog)
    assert isinstance(chat, CallLog)
    assert [recorded(trace) for trace in flat.traces] == [recorded(t) for t in chat.traces]


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ([CHAT], "chat"),
        ([RECORD], "records"),
        ([ASKED, GIVEN], "mcp"),
        ([{**SPAN, "name": "execute_tool get"}], "spans"),
        ([RECORD, CHAT], "records and chat"),
    ],
)
def test_every_format_is_recognised_in_every_frame(values, form):
    for data in (
        lines(values),
        json.dumps(values).encode(),
        json.dumps(values, indent=1).encode(),
        json.dumps({"records": values}).encode(),
        json.dumps({"data": [values]}).encode(),
    ):
        found = read_source("log", data)
        assert found.format == form
        calls = [call for trace in found.material.traces for call in trace.calls]
        assert {(c.tool, c.value) for c in calls} == {("get", "one")}
        assert found.skipped == 0


def test_no_reader_recognises_what_another_one_reads():
    values = [CHAT, RECORD, ASKED, GIVEN, SPAN, TOOL]
    known = [[opens.recognises(value) for opens in READERS] for value in values]
    assert [sum(row) for row in known] == [1] * len(values)


def test_a_source_is_counted():
    found = read_source("flat.jsonl", lines(records(4)))
    assert (found.format, found.records, found.skipped) == ("records", 4, 0)
    assert found.calls == len(records(4))


def test_a_bad_line_and_a_strange_element_are_counted_skips_with_their_places():
    data = lines(records(2)) + b'{"broken": \n{"neither": "nor"}\n'
    found = read_source("log.jsonl", data)
    count = len(records(2))
    assert found.skipped == 2
    assert [skip.place for skip in found.skips] == [
        f"log.jsonl: line {count + 1}",
        f"log.jsonl: line {count + 2}",
    ]


def test_a_strange_element_in_a_wrapper_has_its_place():
    found = read_source("log.json", json.dumps({"traces": [CHAT, {"a": 1}]}).encode())
    assert [skip.place for skip in found.skips] == ["log.json: element 1, traces 2"]


def test_a_manifest_is_recognised():
    found = read_source("tools.json", json.dumps([TOOL]).encode())
    assert (found.format, found.records, found.calls) == ("manifest", 1, 0)
    assert isinstance(found.material, Manifest)
    assert [t.name for t in found.material.tools] == ["get"]


def test_manifests_of_several_services_are_a_log_without_calls():
    tools = [{**TOOL, "service": "shop"}, {**TOOL, "service": "mail"}]
    found = read_source("tools.json", json.dumps(tools).encode())
    assert (found.format, found.records) == ("manifest", 2)
    assert isinstance(found.material, CallLog)
    assert [m.service for m in found.material.manifests] == ["mail", "shop"]


def test_a_log_may_declare_its_tools():
    found = read_source("log.jsonl", lines([{**CHAT, "tools": [TOOL]}]))
    assert isinstance(found.material, CallLog)
    assert [t.name for m in found.material.manifests for t in m.tools] == ["get"]
    assert found.format == "chat"


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
