"""Records: how an event becomes stored bytes, and how stored bytes become an envelope again."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson
from pydantic import ValidationError

from envwright.events import (
    PAYLOAD_LIMIT,
    Envelope,
    NewEvent,
    chain_hash,
    digest_bytes,
    header_bytes,
    payload_reference,
    reference_payload,
)
from envwright.events.canonical import Json
from envwright.events.errors import ArtifactError, IntegrityError
from envwright.events.ports import ArtifactStore

_BESIDE = frozenset(
    ("position", "recorded_at", "payload_hash", "previous_hash", "hash", "payload", "body")
)
"""Fields of an envelope that its header does not have."""

# From here on orjson reads integers as floats.
_INEXACT = 2.0**63

# Everything that follows `sequence` in the sorted header is text, so its last occurrence is it.
_UNPLACED = b',"sequence":0,'


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """An event encoded as far as possible before the writer's lock is held."""

    event: NewEvent
    stream: str
    payload: bytes
    payload_hash: str
    opening: bytes
    """The canonical header up to its sequence, the only part that is not known yet."""
    closing: bytes

    def header(self, sequence: int) -> bytes:
        """Return the canonical header of the event at its place in the stream."""
        return b'%b,"sequence":%d,%b' % (self.opening, sequence, self.closing)


class Placed(NamedTuple):
    """A row of `events` but for what only the last step knows, in the order of its columns."""

    id: str
    stream: str
    sequence: int
    idempotency_key: str
    type: str
    run_id: str
    correlation_id: str
    header: bytes
    payload_hash: str
    previous_hash: str
    hash: str


class StoredEvent(NamedTuple):
    """What reading an event takes from `events` and `payloads`."""

    position: int
    header: bytes
    payload_hash: str
    previous_hash: str
    hash: str
    recorded_at: str
    payload: bytes


def prepare(event: NewEvent, stream: str, artifacts: ArtifactStore) -> PreparedEvent:
    """Encode an event for a stream; a body over the limit is kept as an artifact first."""
    payload = event.body
    if len(payload) > PAYLOAD_LIMIT:
        payload = reference_payload(artifacts.put(payload, "application/json"))
    header = header_bytes(
        {
            "id": event.id,
            "idempotency_key": event.idempotency_key,
            "type": event.type,
            "schema_version": event.fact.schema_version,  # type: ignore[attr-defined]
            "stream": stream,
            "sequence": 0,
            "run_id": event.run_id,
            "causation_id": event.causation_id,
            "correlation_id": event.correlation_id,
            "actor": event.actor.model_dump(mode="json"),
            "occurred_at": event.occurred_at,
            "traceparent": event.traceparent,
            "basis": event.basis,
            "metrics": event.metrics,
        }
    )
    opening, _, closing = header.rpartition(_UNPLACED)
    return PreparedEvent(event, stream, payload, digest_bytes(payload), opening, closing)


def place(prepared: PreparedEvent, sequence: int, previous_hash: str) -> Placed:
    """Give an event its place in its stream and chain it to the event before it."""
    event = prepared.event
    header = prepared.header(sequence)
    return Placed(
        event.id,
        prepared.stream,
        sequence,
        event.idempotency_key,
        event.type,
        event.run_id,
        event.correlation_id,
        header,
        prepared.payload_hash,
        previous_hash,
        chain_hash(previous_hash, header, prepared.payload_hash),
    )


def restore(stored: StoredEvent, artifacts: ArtifactStore) -> Envelope:
    """Return the envelope that a stored row stands for.

    Raises:
        IntegrityError: the header is unreadable, or a large body's artifact is gone or altered.
    """
    try:
        fields = header_fields(stored.header)
        if not fields.keys().isdisjoint(_BESIDE):
            raise ValueError(f"it has {sorted(fields.keys() & _BESIDE)}")
        return Envelope.model_validate(
            {
                **fields,
                "position": stored.position,
                "recorded_at": stored.recorded_at,
                "payload_hash": stored.payload_hash,
                "previous_hash": stored.previous_hash,
                "hash": stored.hash,
                "payload": stored.payload,
                "body": body_of(stored.payload, artifacts),
            }
        )
    except ArtifactError as error:
        raise IntegrityError(f"event at position {stored.position}: its body: {error}") from error
    except (ValidationError, ValueError, TypeError, AttributeError) as error:
        raise IntegrityError(
            f"event at position {stored.position} has an unreadable header: {error}"
        ) from error


def header_fields(header: bytes) -> dict[str, Any]:
    """Return the fields of a canonical header, as json reads them.

    Raises:
        ValueError: it is no JSON.
    """
    try:
        fields = dict(orjson.loads(header))
    except orjson.JSONDecodeError:
        # A lone surrogate, which only json reads; or no JSON at all, which it will say.
        return dict(json.loads(header))
    return dict(json.loads(header)) if _is_inexact(fields.get("metrics")) else fields


def _is_inexact(value: Json) -> bool:
    """Say whether a number in a value may have been an integer of more than 64 bits."""
    if isinstance(value, float):
        return abs(value) >= _INEXACT
    if isinstance(value, dict):
        return any(map(_is_inexact, value.values()))
    return isinstance(value, list) and any(map(_is_inexact, value))


def body_of(payload: bytes, artifacts: ArtifactStore) -> bytes:
    """Return the body behind a payload, fetched where the payload is a reference."""
    reference = payload_reference(payload)
    return payload if reference is None else artifacts.get(reference.digest)
