"""Spans: OTLP's JSON and flat objects give the same."""

import pytest

from envwright.recipes.toolspace.readers.jsontext import Mark
from envwright.recipes.toolspace.readers.otlp import holds_spans, spans_in

SPAN = {
    "traceId": "t",
    "spanId": "s",
    "parentSpanId": "p",
    "name": "execute_tool get",
    "startTimeUnixNano": "1700000000000000001",
    "attributes": [{"key": "a", "value": {"stringValue": "b"}}],
    "status": {"code": 2, "message": "no"},
}


def attribute(value):
    (span,) = spans_in({**SPAN, "attributes": [{"key": "a", "value": value}]})
    return span.attributes["a"]


@pytest.mark.parametrize("scopes", ["scopeSpans", "instrumentationLibrarySpans"])
def test_an_export_holds_its_spans(scopes):
    exported = {"resourceSpans": [{"resource": {}, scopes: [{"scope": {}, "spans": [SPAN, 5]}]}]}
    assert holds_spans(exported)
    (span,) = spans_in(exported)
    assert (span.trace_id, span.span_id, span.parent_id) == ("t", "s", "p")
    assert span.start == (0, 1700000000000000001, "")
    assert (span.failed, span.message, span.attributes) == (True, "no", {"a": "b"})


def test_flat_spans_are_spans_too():
    flat = {
        "name": "execute_tool get",
        "context": {"trace_id": "0x1", "span_id": "0x2"},
        "parent_id": None,
        "start_time": "2026-01-01T00:00:00Z",
        "status": {"status_code": "ERROR", "description": "no"},
        "attributes": {"a": "b"},
    }
    assert holds_spans(flat)
    (span,) = spans_in(flat)
    assert (span.trace_id, span.failed, span.message) == ("0x1", True, "no")
    assert span.attributes == {"a": "b"}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ({"stringValue": "x"}, "x"),
        ({"boolValue": False}, False),
        ({"intValue": "12"}, 12),
        ({"intValue": 12}, 12),
        ({"doubleValue": 1.5}, 1.5),
        ({"arrayValue": {"values": [{"stringValue": "x"}, {"intValue": "1"}]}}, ["x", 1]),
        ({"kvlistValue": {"values": [{"key": "k", "value": {"intValue": "1"}}]}}, {"k": 1}),
        ({"arrayValue": {}}, []),
        ({}, None),
        ("plain", "plain"),
    ],
)
def test_attributes_have_their_json_values(written, value):
    assert attribute(written) == value


@pytest.mark.parametrize("written", [{"bytesValue": "AA"}, {"intValue": "many"}])
def test_what_is_no_json_value_is_a_mark(written):
    assert isinstance(attribute(written), Mark)


def test_an_exception_says_what_the_status_does_not():
    said = [{"key": "exception.message", "value": {"stringValue": "gone"}}]
    (span,) = spans_in({**SPAN, "status": {"code": 2}, "events": [{"attributes": said}]})
    assert span.message == "gone"


@pytest.mark.parametrize(
    "value", [{}, [], 5, {"name": "a"}, {"resourceSpans": []}, {"traceId": "t", "name": 5}]
)
def test_other_values_hold_no_spans(value):
    assert not holds_spans(value)
