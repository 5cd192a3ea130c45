"""Whatever bytes a source holds, reading it gives traces or tools, or a message for people."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from envwright.events.canonical import encode
from envwright.events.errors import BadInputError
from envwright.recipes.recipe import Disguise
from envwright.recipes.toolspace.calls import CallLog
from envwright.recipes.toolspace.readers import disguised, read_source

VOCABULARY = """
    role content tool_calls function function_call name arguments args input id call_id type text
    tool_call_id tool_use tool_use_id tool_result tool_response messages traj from value parts
    functionCall functionResponse response message data kwargs additional_kwargs tool_messages
    jsonrpc method params result error code isError structuredContent serverInfo tools _meta
    resultType request session server timestamp tools/call tools/list initialize
    resourceSpans scopeSpans spans attributes key stringValue arrayValue kvlistValue values
    intValue traceId spanId parentSpanId name status startTimeUnixNano context trace_id
    gen_ai.operation.name execute_tool gen_ai.tool.name gen_ai.tool.call.arguments
    gen_ai.tool.call.result gen_ai.input.messages tool seq ts user status error_code service
    parameters inputSchema properties title object effect annotations readOnlyHint
    user assistant human gpt observation image complete traces records
"""
WORDS = sorted(set(VOCABULARY.split()))

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 9),
    st.floats(),
    st.sampled_from(WORDS),
    st.text(max_size=6),
    st.sampled_from(['{"a": 1}', '{"name": "get", "arguments": {}}', "[{]", "\ud800", "1e999"]),
    st.sampled_from(["<tool_call>{}</tool_call>", "<tool_response>1</tool_response>"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    ),
    max_leaves=25,
)


def reads(data: bytes) -> None:
    """Reading gives what can be kept, or the one error that people understand."""
    try:
        found = read_source("any.json", data)
    except BadInputError as error:
        assert str(error).startswith("any.json: ")
        return
    assert found.skipped >= len(found.skips)
    for skip in found.skips:
        skip.model_dump_json()
    if isinstance(found.material, CallLog):
        for trace in found.material.traces:
            encode(trace.identity())
            trace.said.encode()
            for call in trace.calls:
                encode([call.tool, call.arguments, call.value, call.service])


def hides(data: bytes) -> None:
    """What is disguised reads as what it was made of."""
    try:
        ((_, hidden),) = disguised([("any.json", data)], Disguise(("k", "name"), b"secret"))
        found = read_source("any.json", hidden)
    except BadInputError:
        return
    assert found.calls == read_source("any.json", data).calls


@given(st.binary(max_size=200))
def test_any_bytes(data):
    reads(data)
    hides(data)


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_any_lines(lines):
    reads(b'{"trace_id": 1, "tool": "get", "args": {}, "result": 1}\n' + b"\n".join(lines))


@settings(max_examples=120)
@given(VALUES)
def test_any_json(value):
    reads(json.dumps(value).encode())


@settings(max_examples=80)
@given(st.lists(VALUES, max_size=4))
def test_any_json_lines(values):
    data = b"\n".join(json.dumps(value).encode() for value in values)
    reads(data)
    hides(data)


def logs() -> list[Any]:
    """One small log of each format."""
    function = {"name": "get", "arguments": '{"k": 1}'}
    return [
        {
            "task_id": 1,
            "tools": [{"type": "function", "function": {"name": "get", "parameters": {}}}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "please"}]},
                {"role": "assistant", "tool_calls": [{"id": "a", "function": function}]},
                {"role": "tool", "tool_call_id": "a", "content": '{"n": 1}'},
            ],
        },
        {"trace_id": "t", "seq": 1, "tool": "get", "args": {"k": 1}, "result": {"n": 1}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "1"}]}},
        {
            "traceId": "a",
            "spanId": "b",
            "name": "execute_tool get",
            "startTimeUnixNano": "1",
            "attributes": [
                {"key": "gen_ai.tool.name", "value": {"stringValue": "get"}},
                {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": '{"k": 1}'}},
                {"key": "gen_ai.tool.call.result", "value": {"stringValue": "1"}},
            ],
        },
        {"name": "get", "inputSchema": {"type": "object", "properties": {}}},
    ]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside a value."""
    if isinstance(value, list):
        items = list(enumerate(value))
    else:
        items = list(value.items()) if isinstance(value, dict) else []
    return [path, *(place for key, item in items for place in places(item, (*path, key)))]


@st.composite
def spoilt(draw: st.DrawFn) -> list[Any]:
    """Logs in which some values are replaced by others."""
    values = logs()
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(places(values)[1:]))
        holder = values
        try:
            for step in path[:-1]:
                holder = holder[step]
            holder[path[-1]] = draw(VALUES)
        except (TypeError, KeyError, IndexError):
            continue
    return values


@settings(max_examples=150)
@given(spoilt())
def test_any_log_with_something_else_in_it(values):
    reads(json.dumps(values).encode())
    data = b"\n".join(json.dumps(value).encode() for value in values)
    reads(data)
    hides(data)


@given(st.integers(0, 3000), st.sampled_from(["[", '{"a":', '{"messages":[', '{"tools":[']))
def test_any_depth(depth, opening):
    closing = {"[": "]", '{"a":': "}"}.get(opening, "]}")
    deep = opening * depth + "1" + closing * depth
    reads(deep.encode())
    reads(f"[{deep}]".encode())
    reads(f'{{"trace_id": 1, "tool": {deep}, "args": {deep}, "result": {deep}}}\n[]'.encode())
    reads(json.dumps({"messages": [{"role": "tool", "content": deep, "name": [deep]}]}).encode())
    body = f'{{"jsonrpc": "2.0", "id": {deep}, "method": "tools/call", "result": {deep}}}'
    reads(f'{body}\n{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{deep}]}}}}'.encode())
    for attributes in (
        f'[{{"key": "gen_ai.tool.call.arguments", "value": {deep}}}]',
        f'{{"gen_ai.tool.call.arguments": {deep}, "gen_ai.tool.call.result": {deep}}}',
    ):
        reads(f'{{"name": "execute_tool a", "traceId": "a", "attributes": {attributes}}}'.encode())
