"""OpenTelemetry spans: tools that ran, in the order of their starts, where content was recorded."""

import json

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

from envwright.agents.span_file import SpanFile
from envwright.recipes.toolspace.readers import read_source
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.skips import Skips
from envwright.recipes.toolspace.readers.spans import SpanReader


def span(number, tool="get", trace="t", parent="", **attributes):
    given = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": tool,
        "gen_ai.tool.call.arguments": json.dumps({"k": number}),
        "gen_ai.tool.call.result": json.dumps({"n": number}),
        **{name.replace("__", "."): value for name, value in attributes.items()},
    }
    return {
        "traceId": trace,
        "spanId": f"s{number}",
        "parentSpanId": parent,
        "name": f"execute_tool {tool}",
        "startTimeUnixNano": str(1_700_000_000_000_000_000 + number),
        "attributes": [
            {"key": key, "value": {"stringValue": value}}
            for key, value in given.items()
            if value is not None
        ],
        "status": {},
    }


def read(*spans):
    skips = Skips()
    reader = SpanReader(skips)
    for number, each in enumerate(spans, start=1):
        assert SpanReader.recognises(each)
        reader.take(Element(f"log: line {number}", each))
    assert reader.manifests() == ()
    return reader.traces(), skips


def values(*spans):
    traces, skips = read(*spans)
    return [[(c.tool, c.arguments, c.ok, c.value) for c in t.calls] for t in traces], skips


def test_spans_are_grouped_by_trace_and_ordered_by_their_start():
    found, skips = values(span(3), span(1), span(2, trace="u"), span(0))
    assert found == [
        [("get", {"k": n}, True, {"n": n}) for n in (0, 1, 3)],
        [("get", {"k": 2}, True, {"n": 2})],
    ]
    assert skips.count == 0


@pytest.mark.parametrize("missing", ["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"])
def test_a_span_without_content_is_a_skip_that_says_what_to_record(missing):
    found, skips = values(span(1, **{missing.replace(".", "__"): None}), span(2))
    assert [len(trace) for trace in found] == [1]
    assert skips.kept()[0].place == "log: line 1"
    assert f"{missing} is missing; it is opt-in" in skips.kept()[0].reason


def test_a_failed_span_tells_its_error():
    failed = {**span(1, gen_ai__tool__call__result=None), "status": {"code": 2, "message": "no"}}
    typed = span(2, gen_ai__tool__call__result=None, error__type="timeout")
    told = {**span(3, gen_ai__tool__call__result="order not found"), "status": {"code": 2}}
    (trace,), _ = read(failed, typed, told)
    assert [(c.ok, c.value, c.transient) for c in trace.calls] == [
        (False, "no", False),
        (False, "timeout", True),
        (False, "order not found", False),
    ]


def test_older_names_of_the_content_are_known():
    old = span(
        1,
        gen_ai__tool__call__arguments=None,
        gen_ai__tool__call__result=None,
        tool_arguments='{"k": 1}',
        tool_response="one",
    )
    other = span(
        2,
        gen_ai__operation__name=None,
        gen_ai__tool__name=None,
        gen_ai__tool__call__arguments=None,
        gen_ai__tool__call__result=None,
        openinference__span__kind="TOOL",
        tool__name="put",
        input__value='{"k": 2}',
        output__value="two",
    )
    found, _ = values(old, other)
    assert found == [[("get", {"k": 1}, True, "one"), ("put", {"k": 2}, True, "two")]]


def test_content_may_be_structured():
    flat = {**span(1), "attributes": {**_flat(span(1)), "gen_ai.tool.call.result": {"n": [1.0]}}}
    assert values(flat)[0] == [[("get", {"k": 1}, True, {"n": [1]})]]


def test_other_spans_tell_only_what_the_user_said():
    messages = json.dumps(
        [
            {"role": "system", "parts": [{"type": "text", "content": "be nice"}]},
            {"role": "user", "parts": [{"type": "text", "content": "please"}]},
        ]
    )
    chat = span(0, gen_ai__operation__name="chat", gen_ai__input__messages=messages)
    again = {**chat, "spanId": "x"}
    traces, skips = read(chat, again, span(1))
    assert [(t.said, len(t.calls)) for t in traces] == [("please", 1)]
    assert skips.count == 0


def test_a_span_that_is_exported_twice_counts_once():
    found, skips = values(span(1), span(1))
    assert (len(found[0]), skips.count) == (1, 1)


def test_a_call_that_two_instrumentations_saw_counts_once():
    found, skips = values(span(2, parent="s1", gen_ai__tool__call__arguments='{"k": 1}'), span(1))
    assert found == [[("get", {"k": 1}, True, {"n": 1})]]
    assert skips.count == 0


def test_a_tool_that_calls_another_is_two_calls():
    found, _ = values(span(1), span(2, tool="put", parent="s1"), span(3, parent="s1"))
    assert [c[0] for c in found[0]] == ["get", "put", "get"]


def test_our_own_span_file_is_read(tmp_path):
    path = tmp_path / "spans.jsonl"
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(SpanFile(path)))
    tracer = provider.get_tracer("test")
    with tracer.start_as_current_span("invoke_agent"):
        for k in (1, 2):
            with tracer.start_as_current_span("execute_tool get") as each:
                each.set_attribute("gen_ai.tool.name", "get")
                each.set_attribute("gen_ai.tool.call.arguments", json.dumps({"k": k}))
                each.set_attribute("gen_ai.tool.call.result", "fine")
        with tracer.start_as_current_span("execute_tool get") as silent:
            silent.set_attribute("gen_ai.operation.name", "execute_tool")
    provider.shutdown()
    found = read_source("spans.jsonl", path.read_bytes())
    assert (found.format, found.records, found.calls, found.skipped) == ("spans", 1, 2, 1)
    assert [c.arguments["k"] for c in found.material.traces[0].calls] == [1, 2]


def _flat(value):
    return {item["key"]: item["value"]["stringValue"] for item in value["attributes"]}
