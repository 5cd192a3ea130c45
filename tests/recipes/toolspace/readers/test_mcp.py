"""MCP recordings: sessions become traces, and what servers list becomes manifests."""

import itertools
import json

import pytest

from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.jsontext import parse
from envwright.recipes.toolspace.readers.mcp import McpReader
from envwright.recipes.toolspace.readers.skips import Skips

SCHEMA = {"type": "object", "properties": {"k": {"type": "integer"}}}


def rpc(**message):
    return {"jsonrpc": "2.0", **message}


def begins(server, number=0):
    return [
        rpc(id=number, method="initialize", params={"protocolVersion": "2025-11-25"}),
        rpc(id=number, result={"serverInfo": {"name": server, "version": "1"}}),
        rpc(method="notifications/initialized"),
    ]


def asks(number, tool="get", **arguments):
    return rpc(id=number, method="tools/call", params={"name": tool, "arguments": arguments})


def gives(number, value, **more):
    content = [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}]
    return rpc(id=number, result={"content": content, **more})


def read(*messages):
    skips = Skips()
    reader = McpReader(skips)
    for number, message in enumerate(messages, start=1):
        assert McpReader.recognises(message)
        reader.take(Element(f"log: line {number}", message))
    return reader, skips


def traces(*messages):
    reader, skips = read(*messages)
    return [
        [(c.service, c.tool, c.arguments, c.ok, c.value) for c in trace.calls]
        for trace in reader.traces()
    ], skips


def test_a_session_is_a_trace_of_its_servers_calls():
    found, skips = traces(*begins("shop"), asks(1, k=1), gives(1, {"n": 1.0}))
    assert found == [[("shop", "get", {"k": 1}, True, {"n": 1})]]
    assert skips.count == 0


def test_a_session_begins_anew_with_each_handshake():
    one = [*begins("shop"), asks(1, k=1), gives(1, "one")]
    two = [*begins("shop"), asks(1, k=2), gives(1, "two")]
    found, skips = traces(*one, *two)
    assert [[c[4] for c in trace] for trace in found] == [["one"], ["two"]]
    assert skips.count == 0


def test_sessions_that_are_recorded_at_once_are_told_apart():
    one = [*begins("shop"), asks(1, k=1), gives(1, "one")]
    two = [*begins("mail"), asks(1, k=2), gives(1, "two")]
    mixed = itertools.chain.from_iterable(
        ({"session_id": "a", "message": left}, {"session_id": "b", "message": right})
        for left, right in zip(one, two, strict=True)
    )
    reader, skips = read(*mixed)
    assert [(t.task, t.calls[0].service, t.calls[0].value) for t in reader.traces()] == [
        ("a", "shop", "one"),
        ("b", "mail", "two"),
    ]
    assert skips.count == 0


def test_calls_of_one_session_to_several_servers_are_one_trace():
    def of(server, *messages):
        return [{"session": "s", "server": server, "message": m} for m in messages]

    found, _ = traces(
        *of("one", *begins("shop")),
        *of("two", *begins("mail")),
        *of("one", asks(1, k=1)),
        *of("two", asks(1, k=2)),
        *of("two", gives(1, "two")),
        *of("one", gives(1, "one")),
    )
    assert [[(c[0], c[4]) for c in trace] for trace in found] == [
        [("shop", "one"), ("mail", "two")]
    ]


def test_the_wrapper_names_the_server_where_no_handshake_does():
    (trace,), _ = traces(
        {"server": "shop", "message": asks(1)}, {"server": "shop", "message": gives(1, "one")}
    )
    assert trace[0][0] == "shop"


def test_a_revision_without_a_handshake_names_the_server_in_its_results():
    meta = {"io.modelcontextprotocol/serverInfo": {"name": "shop"}}
    (trace,), _ = traces(
        asks(1, k=1), gives(1, "one", _meta=meta), asks(1, k=2), gives(1, "two", _meta=meta)
    )
    assert [(c[0], c[2]["k"], c[4]) for c in trace] == [("shop", 1, "one"), ("shop", 2, "two")]


def test_responses_may_come_in_any_order_and_ids_of_two_types_differ():
    (trace,), _ = traces(
        asks(1, k=1), asks("1", k=2), asks(2, k=3), gives(2, "c"), gives("1", "b"), gives(1, "a")
    )
    assert [c[4] for c in trace] == ["a", "b", "c"]


def test_times_put_messages_in_order():
    lines = [asks(1, k=1), gives(1, "one"), asks(2, k=2), gives(2, "two")]
    stamped = [
        {"timestamp": f"2026-01-01T00:00:0{n}Z", "message": message}
        for n, message in enumerate(lines)
    ]
    (trace,), _ = traces(*reversed(stamped))
    assert [c[4] for c in trace] == ["one", "two"]


def test_structured_content_is_preferred_and_errors_are_failures():
    (trace,), _ = traces(
        asks(1),
        gives(1, "see the data", structuredContent={"n": 1}),
        asks(2),
        gives(2, "no such order", isError=True),
        asks(3),
        rpc(id=3, error={"code": -32602, "message": "Unknown tool: get"}),
        asks(4),
        rpc(id=4, error={"code": -32001, "message": "Request timed out"}),
    )
    assert [c[3:] for c in trace] == [
        (True, {"n": 1}),
        (False, "no such order"),
        (False, "Unknown tool: get"),
        (False, "Request timed out"),
    ]


def test_only_calls_of_tools_are_calls():
    (trace,), skips = traces(
        rpc(id=1, method="resources/read", params={"uri": "a"}),
        rpc(id=1, result={"contents": [{"uri": "a", "text": "b"}]}),
        rpc(id=2, method="ping"),
        rpc(id=2, result={}),
        rpc(id=3, method="resources/read", params={}),
        rpc(id=3, error={"code": -32002, "message": "not found"}),
        asks(4),
        rpc(method="notifications/progress", params={"progress": 1}),
        gives(4, "one"),
    )
    assert [c[4] for c in trace] == ["one"]
    assert skips.count == 0


def test_what_the_server_asks_of_the_client_is_no_answer_to_a_call_of_the_same_id():
    (trace,), skips = traces(
        asks(1),
        rpc(id=1, method="sampling/createMessage", params={}),
        rpc(id=1, result={"role": "assistant", "content": {"type": "text", "text": "no"}}),
        gives(1, "one"),
    )
    assert [c[4] for c in trace] == ["one"]
    assert skips.count == 0


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ([], "no result for the call of 'get'"),
        ([rpc(id=1, result={"task": {"taskId": "t"}})], "neither content nor structured"),
        (
            [rpc(id=1, result={"content": [{"type": "image", "data": "A"}]})],
            "no text but image",
        ),
        ([gives(1, "more?", resultType="input_required")], "not complete"),
        ([gives(1, '{"n": NaN}')], "NaN is not a JSON number"),
    ],
)
def test_a_call_without_a_usable_result_is_a_skip(answer, told):
    found, skips = traces(asks(1), *answer, asks(2), gives(2, "two"))
    assert [c[4] for c in found[0]] == ["two"]
    assert told in skips.kept()[0].reason


def test_bad_calls_and_answers_to_nothing_are_skips():
    found, skips = traces(
        rpc(id=1, method="tools/call"),
        gives(1, "one"),
        rpc(id=2, method="tools/call", params={"name": "get", "arguments": [1]}),
        gives(2, "two"),
        gives(9, "nine"),
        asks(3, k=parse("NaN")),
        gives(3, "three"),
    )
    assert found == []
    assert skips.count == 4


def test_tool_lists_are_manifests_of_their_servers():
    page = [{"name": "get", "inputSchema": SCHEMA}, {"name": "put", "inputSchema": SCHEMA}]
    reader, skips = read(
        *begins("shop"),
        rpc(id=5, method="tools/list"),
        rpc(id=5, result={"tools": page[:1], "nextCursor": "2"}),
        rpc(id=6, method="tools/list", params={"cursor": "2"}),
        rpc(id=6, result={"tools": page[1:]}),
        *begins("mail", 7),
        rpc(id=8, method="tools/list"),
        rpc(id=8, result={"tools": page[:1]}),
    )
    assert [(m.service, [t.name for t in m.tools]) for m in reader.manifests()] == [
        ("mail", ["get"]),
        ("shop", ["get", "put"]),
    ]
    assert (reader.traces(), skips.count) == ((), 0)


def test_reading_the_traces_twice_changes_nothing():
    reader, skips = read(asks(1), asks(2), gives(2, "two"))
    assert reader.traces() == reader.traces()
    assert skips.count == 1
