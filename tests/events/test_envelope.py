"""Every recorded event is hashed into its stream's chain; a changed byte is found and named."""

import hashlib
import json
from datetime import datetime

import pytest
from hypothesis import given

from envwright.events import (
    GENESIS,
    PAYLOAD_LIMIT,
    Envelope,
    NewEvent,
    chain_hash,
    decode,
    digest_bytes,
    encode,
    fact_data,
    header_bytes,
    payload_reference,
    reference_payload,
    utc_now,
    verify_hashes,
)
from envwright.events.catalog import RoundOpened, RunResumed
from envwright.events.errors import IntegrityError
from envwright.events.values import Actor, ArtifactRef
from support.any_fact import facts

EVENT = NewEvent(
    fact=RoundOpened(run="run-1", round=1, slots=10),
    run_id="run-1",
    correlation_id="run-1",
    actor=Actor(role="planner", instance="host:1", code_version="0.1.0"),
    idempotency_key="k" * 64,
    causation_id="018f0000-0000-7000-8000-000000000000",
    traceparent="00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    basis="b" * 64,
    metrics={"seconds": 0.25, "tokens": 25.0},
    id="018f0000-0000-7000-8000-000000000001",
    occurred_at="2026-01-05T08:00:00.000000Z",
)


def recorded(event: NewEvent, payload: bytes | None = None, previous: str = GENESIS) -> Envelope:
    """Return the envelope that a log would keep for the first event of a stream."""
    payload = event.body if payload is None else payload
    header = {
        **event.model_dump(mode="json", exclude={"fact"}),
        "type": event.type,
        "schema_version": 1,
        "stream": event.fact.stream,
        "sequence": 1,
    }
    payload_hash = digest_bytes(payload)
    return Envelope(
        **header,
        position=1,
        recorded_at="2026-01-05T08:00:01.000000Z",
        payload_hash=payload_hash,
        previous_hash=previous,
        hash=chain_hash(previous, header_bytes(header), payload_hash),
        payload=payload,
        body=event.body,
    )


ENVELOPE = recorded(EVENT)
TAMPERED = {
    "id": "018f0000-0000-7000-8000-000000000002",
    "idempotency_key": "j" * 64,
    "type": "round.settled",
    "schema_version": 2,
    "stream": "run/run-2",
    "sequence": 2,
    "run_id": "run-2",
    "causation_id": None,
    "correlation_id": "pkg-1",
    "actor": Actor(role="judge", instance="host:1", code_version="0.1.0"),
    "occurred_at": "2026-01-05T08:00:00.000001Z",
    "traceparent": None,
    "basis": None,
    "metrics": {"seconds": 0.25},
    "hash": "f" * 64,
}
"""Another value for each field that the chain hash protects."""


def test_the_hashes_have_the_values_that_are_recorded_in_logs():
    """Recomputed here from the plan alone: sha256 and sorted JSON, none of the product's code."""
    payload = b'{"round":1,"run":"run-1","slots":10}'
    header = {
        "actor": {"code_version": "0.1.0", "instance": "host:1", "role": "planner"},
        "basis": "b" * 64,
        "causation_id": "018f0000-0000-7000-8000-000000000000",
        "correlation_id": "run-1",
        "id": "018f0000-0000-7000-8000-000000000001",
        "idempotency_key": "k" * 64,
        "metrics": {"seconds": 0.25, "tokens": 25},
        "occurred_at": "2026-01-05T08:00:00.000000Z",
        "run_id": "run-1",
        "schema_version": 1,
        "sequence": 1,
        "stream": "run/run-1",
        "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "type": "round.opened",
    }
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    chained = hashlib.sha256(bytes(32) + text + hashlib.sha256(payload).digest()).hexdigest()
    assert ENVELOPE.payload == payload
    assert ENVELOPE.hash == chained
    assert chained == "129b71fddff75c3152e0d70bdcaef4b2dfeafa29db8701ee90bdbd35e1492193"


def test_a_recorded_event_verifies():
    verify_hashes(ENVELOPE, GENESIS)


@pytest.mark.parametrize("field", sorted(TAMPERED))
def test_a_changed_header_field_is_found_and_named(field):
    forged = ENVELOPE.model_copy(update={field: TAMPERED[field]})
    with pytest.raises(IntegrityError, match=f"event {forged.id}.*the header does not match"):
        verify_hashes(forged, GENESIS)


def test_every_field_that_logs_agree_on_is_protected():
    elsewhere = {"payload", "payload_hash", "previous_hash", "body"}
    by_the_store = {"position", "recorded_at"}
    assert set(TAMPERED) | elsewhere | by_the_store == set(Envelope.model_fields)


@pytest.mark.parametrize("index", range(len(ENVELOPE.payload)))
def test_a_changed_payload_byte_is_found_and_named(index):
    payload = bytearray(ENVELOPE.payload)
    payload[index] ^= 1
    forged = ENVELOPE.model_copy(update={"payload": bytes(payload)})
    with pytest.raises(IntegrityError, match=r"position 1 \(run/run-1 #1\): the payload does not"):
        verify_hashes(forged, GENESIS)


def test_a_payload_that_was_changed_with_its_hash_is_found():
    payload = ENVELOPE.payload.replace(b"10", b"99")
    forged = ENVELOPE.model_copy(
        update={"payload": payload, "body": payload, "payload_hash": digest_bytes(payload)}
    )
    with pytest.raises(IntegrityError, match="the header does not match"):
        verify_hashes(forged, GENESIS)


def test_a_body_that_is_not_the_payloads_is_found():
    forged = ENVELOPE.model_copy(update={"body": ENVELOPE.body.replace(b"10", b"99")})
    with pytest.raises(IntegrityError, match="the body is not what the payload holds"):
        verify_hashes(forged, GENESIS)


def test_a_missing_event_before_this_one_is_found():
    with pytest.raises(IntegrityError, match="the chain is broken before this event"):
        verify_hashes(ENVELOPE, "a" * 64)
    with pytest.raises(IntegrityError, match="the chain is broken before this event"):
        verify_hashes(recorded(EVENT, previous="a" * 64), GENESIS)


def test_position_and_recording_time_are_the_stores_and_outside_the_chain():
    moved = ENVELOPE.model_copy(update={"position": 9, "recorded_at": utc_now()})
    verify_hashes(moved, GENESIS)


def test_a_large_body_is_chained_through_its_reference():
    ref = ArtifactRef(digest=digest_bytes(EVENT.body), size=len(EVENT.body))
    payload = reference_payload(ref)
    assert payload_reference(payload) == ref
    assert payload_reference(EVENT.body) is None
    envelope = recorded(EVENT, payload)
    verify_hashes(envelope, GENESIS)
    assert envelope.fact == EVENT.fact
    assert len(payload) < PAYLOAD_LIMIT
    forged = envelope.model_copy(update={"body": envelope.body + b" "})
    with pytest.raises(IntegrityError, match="the body is not what the payload holds"):
        verify_hashes(forged, GENESIS)


@given(facts())
def test_every_fact_survives_the_log(fact):
    body = encode(fact_data(fact))
    read = decode(fact.type, fact.schema_version, json.loads(body))
    assert read == fact
    assert encode(fact_data(read)) == body


def test_text_with_a_lone_surrogate_survives_the_log():
    event = EVENT.model_copy(update={"fact": RunResumed(run="run-\ud83d")})
    assert recorded(event).fact == event.fact


def test_data_holds_neither_type_nor_version():
    assert fact_data(EVENT.fact) == {"run": "run-1", "round": 1, "slots": 10}
    assert ENVELOPE.data == fact_data(EVENT.fact)


def test_an_event_mints_its_id_and_time():
    fields = {"run_id": "r", "correlation_id": "r", "actor": EVENT.actor, "idempotency_key": "k"}
    first, second = (NewEvent(fact=EVENT.fact, **fields) for _ in range(2))
    assert first.id < second.id
    assert first.type == "round.opened"
    assert datetime.fromisoformat(first.occurred_at).utcoffset() is not None


def test_the_clock_of_headers_is_utc_with_microseconds():
    assert len(utc_now()) == len("2026-01-05T08:00:00.000000Z")
    assert utc_now().endswith("Z")
