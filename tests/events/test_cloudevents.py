"""Events as CloudEvents 1.0: JSON, and messages that give back exactly what was recorded."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import Envelope, verify_hashes
from envwright.events.catalog import GateEvaluated, RunPaused, RunResumed
from envwright.events.cloudevents import cloud_event, from_message, to_headers
from envwright.events.errors import UndecodableError, UnknownSchemaError
from envwright.events.values import Actor, GateResult
from envwright.store import open_store
from support.any_fact import facts
from support.facts import recorded
from support.store_events import commit, gate

AWKWARD = "naïve 漢字 %41 \x00 \x1b[31m \x85 \U0001f9ea"


def test_the_required_attributes_are_there_and_names_are_legal():
    first, second = recorded([RunPaused(run="r", cause="user"), RunResumed(run="r")])
    event = cloud_event(second)
    assert event["specversion"] == "1.0"
    assert event["type"] == "run.resumed"
    assert event["subject"] == "run/r"
    assert event["data"] == {"run": "r"}
    assert event["datacontenttype"] == "application/json"
    assert event["previoushash"] == first.hash
    assert (event["sequence"], event["position"]) == (2, 2)
    assert all(re.fullmatch("[a-z0-9]+", name) for name in event)
    assert json.loads(json.dumps(event)) == event


def test_extension_attributes_are_text_or_numbers_and_never_empty():
    event = cloud_event(recorded([RunPaused(run="r", cause="user")])[0])
    assert "causationid" not in event and "traceparent" not in event and "metrics" not in event
    values = [value for name, value in event.items() if name != "data"]
    assert all(isinstance(value, str | int) and value != "" for value in values)


@given(st.lists(facts(), min_size=1, max_size=3))
def test_every_fact_comes_back_exactly_and_verifies(some):
    previous = {}
    for envelope in recorded(some):
        back = from_message(to_headers(envelope), envelope.payload)
        assert back == envelope
        assert back.fact == envelope.fact
        verify_hashes(back, previous.get(envelope.stream, "0" * 64))
        previous[envelope.stream] = envelope.hash


@given(
    text=st.text(st.characters(exclude_categories=("Cs",)), max_size=20),
    none=st.none() | st.text(st.characters(exclude_categories=("Cs",)), max_size=5),
)
def test_every_header_field_comes_back_whatever_is_in_it(text, none):
    envelope = recorded([RunResumed(run="r")])[0].model_copy(
        update={
            "actor": Actor(role=text, instance=text, code_version=text),
            "stream": text,
            "idempotency_key": text,
            "correlation_id": text,
            "run_id": text,
            "causation_id": none,
            "basis": none,
            "traceparent": none,
            "metrics": {text: [1.5, None, text, {"\ud800": True}]},
        }
    )
    assert from_message(to_headers(envelope), envelope.payload) == envelope


def test_headers_are_legal_utf8_without_control_characters():
    envelope = recorded([RunResumed(run="r")])[0].model_copy(
        update={"idempotency_key": AWKWARD, "metrics": {"a": AWKWARD}, "traceparent": "00-a-b-01"}
    )
    headers = dict(to_headers(envelope))
    assert headers["content-type"] == b"application/json"
    assert headers["traceparent"] == headers["ce_traceparent"] == b"00-a-b-01"
    assert "ce_datacontenttype" not in headers
    for name, value in headers.items():
        assert re.fullmatch("content-type|traceparent|ce_[a-z0-9]+", name)
        assert not re.search("[\x00-\x1f\x7f-\x9f]", value.decode("utf-8"))


def test_unicode_lone_surrogates_and_nul_survive_in_the_payload():
    fact = GateEvaluated(
        package="p",
        revision="a" * 64,
        result=GateResult(gate="g", version="1", verdict="pass", detail=AWKWARD),
    )
    envelope = recorded([fact])[0]
    # A text that pydantic would refuse, as an older writer may have recorded it.
    body = envelope.payload.replace(b'"gate":"g"', b'"gate":"\\ud800 \\u0000"')
    from envwright.events import digest_bytes

    kept = envelope.model_copy(
        update={"payload": body, "body": body, "payload_hash": digest_bytes(body)}
    )
    back = from_message(to_headers(kept), body)
    assert back == kept
    assert back.data["result"]["gate"] == "\ud800 \x00"
    assert back.data["result"]["detail"] == AWKWARD


def test_a_body_of_five_megabytes_travels_as_a_reference(tmp_path):
    store = open_store(tmp_path / "home")
    text = "x\u20ac\x00" * (5 * 2**20 // 13)
    store.log.commit(commit(gate("1", detail=text)))
    [envelope] = store.log.read_all()
    headers = to_headers(envelope)
    assert len(envelope.payload) + sum(len(n) + len(v) for n, v in headers) < 2048
    back = from_message(headers, envelope.payload, store.artifacts)
    assert back == envelope and len(back.body) > 5 * 2**20
    verify_hashes(back, "0" * 64)
    without = from_message(headers, envelope.payload)
    assert without.body == envelope.payload
    (next(tmp_path.glob("home/artifacts/[0-9a-f][0-9a-f]/*"))).unlink()
    with pytest.raises(UndecodableError, match="the body of the event is missing"):
        from_message(headers, envelope.payload, store.artifacts)
    store.close()


def broken(name: str | None, value: bytes | None, payload: bytes | None = None) -> Envelope:
    """Decode an event with one header altered (or, with None, left out)."""
    envelope = recorded([RunResumed(run="r")])[0]
    headers = dict(to_headers(envelope))
    if name is not None:
        headers.pop(name)
        if value is not None:
            headers[name] = value
    return from_message(headers.items(), envelope.payload if payload is None else payload)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("ce_id", None, "ce_id is missing"),
        ("ce_type", None, "ce_type is missing"),
        ("ce_payloadhash", None, "ce_payloadhash is missing"),
        ("ce_position", b"soon", "position"),
        ("ce_sequence", b"0", "sequence"),
        ("ce_source", b"/elsewhere/x", "ce_source"),
        ("ce_dataschema", b"urn:envwright:event:run.paused:1", "is no schema of 'run.resumed'"),
        ("ce_dataschema", b"urn:envwright:event:run.resumed:x", "invalid literal"),
        ("ce_actor", b"\xff\xfe", "utf-8"),
        ("ce_actor", b"%FF", "utf-8"),
    ],
)
def test_a_message_that_is_no_event_is_refused_with_what_is_wrong(name, value, told):
    with pytest.raises(UndecodableError, match=re.escape(told)):
        broken(name, value)


@pytest.mark.parametrize("metrics", [b"[1]", b"{", b"[" * 100_000])
def test_metrics_that_are_no_object_are_refused(metrics):
    envelope = recorded([RunResumed(run="r")])[0]
    headers = (*to_headers(envelope), ("ce_metrics", metrics))
    with pytest.raises(UndecodableError):
        from_message(headers, envelope.payload)


def test_bytes_that_are_not_what_was_hashed_are_refused():
    with pytest.raises(UndecodableError, match="does not match ce_payloadhash"):
        broken(None, None, payload=b'{"run":"s"}')
    with pytest.raises(UndecodableError, match="no value"):
        from_message(to_headers(recorded([RunResumed(run="r")])[0]), None)
    with pytest.raises(UndecodableError, match="no value|is missing"):
        from_message([("ce_id", None)], b"")


def test_an_unknown_version_is_decoded_and_refused_where_it_is_understood():
    envelope = recorded([RunResumed(run="r")])[0].model_copy(update={"schema_version": 99})
    back = from_message(to_headers(envelope), envelope.payload)
    assert back == envelope
    with pytest.raises(UnknownSchemaError, match="schema version 99"):
        _ = back.fact
