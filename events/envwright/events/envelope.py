"""The envelope: what every recorded event carries around its payload, and how it is hashed."""

import json
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from pydantic import Field

from envwright.events.canonical import Json, digest_bytes, encode
from envwright.events.catalog import Fact
from envwright.events.errors import IntegrityError
from envwright.events.identifiers import uuid7
from envwright.events.upcasting import decode
from envwright.events.values import Actor, ArtifactRef, Value

PAYLOAD_LIMIT = 64 * 1024
"""Payloads above this many bytes go to the artifact store; the event carries a reference."""

_REFERENCE = "$artifact"


def utc_now() -> str:
    """Return the wall clock as ISO 8601 in UTC with microseconds; for headers only."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def fact_data(fact: Fact) -> dict[str, Json]:
    """Return the `data` of a fact: its fields without type and schema version."""
    return fact.model_dump(mode="json", exclude={"type", "schema_version"})


class NewEvent(Value):
    """A fact that is about to be committed, with the header fields that its writer decides."""

    fact: Fact
    run_id: str
    correlation_id: str
    """The package that the event is about, or the run."""
    actor: Actor
    idempotency_key: str
    """H(work_id, output ordinal) for what a handler writes."""
    causation_id: str | None = None
    """Id of the event that this one answers."""
    traceparent: str | None = None
    basis: str | None = None
    """Digest of what the writer had read: {stream: sequence}."""
    metrics: dict[str, Any] = Field(default_factory=dict)
    """Durations, costs, host: chained, but outside every comparison."""
    id: str = Field(default_factory=uuid7)
    occurred_at: str = Field(default_factory=utc_now)

    @property
    def type(self) -> str:
        """The event type."""
        return str(self.fact.type)  # type: ignore[attr-defined]

    @cached_property
    def body(self) -> bytes:
        """Canonical bytes of `data`, before any move to the artifact store."""
        return encode(fact_data(self.fact))


class Envelope(Value):
    """A recorded event: header, hashes and payload bytes exactly as they were hashed."""

    id: str
    idempotency_key: str
    type: str
    schema_version: int
    stream: str
    sequence: int = Field(ge=1)
    """Version of the stream after this event, from 1."""
    position: int = Field(ge=1)
    """Place in the whole log, contiguous from 1, in commit order."""
    run_id: str
    causation_id: str | None
    correlation_id: str
    actor: Actor
    occurred_at: str
    """The producer's clock; never used for order."""
    recorded_at: str
    """The store's clock; never used for order."""
    traceparent: str | None
    basis: str | None
    metrics: dict[str, Any]
    payload_hash: str
    previous_hash: str
    """`hash` of the event before it in its stream; 64 zeros for the first."""
    hash: str
    payload: bytes
    """What was hashed: the body, or a reference to it where the body is large."""
    body: bytes
    """The canonical bytes of `data`."""

    @cached_property
    def data(self) -> dict[str, Json]:
        """The payload as JSON."""
        return dict(json.loads(self.body))

    @cached_property
    def fact(self) -> Fact:
        """The typed fact, upcast to today's schema."""
        return decode(self.type, self.schema_version, self.data)


GENESIS = "0" * 64
"""`previous_hash` of the first event of a stream."""

_HEADER_FIELDS = frozenset(Envelope.model_fields) - {
    "position",
    "recorded_at",
    "payload_hash",
    "previous_hash",
    "hash",
    "payload",
    "body",
}
"""What the chain hash covers of the header; the payload enters through its own hash."""


def header_bytes(fields: dict[str, Json]) -> bytes:
    """Return the canonical header that is hashed: no position, recorded_at or hashes."""
    return encode({name: fields[name] for name in _HEADER_FIELDS})


def chain_hash(previous_hash: str, header: bytes, payload_hash: str) -> str:
    """Return H(previous hash of the stream ‖ header ‖ payload hash), hex.

    The hashes enter as 32 raw bytes, so that every part but the header has a fixed length.
    """
    return digest_bytes(bytes.fromhex(previous_hash) + header + bytes.fromhex(payload_hash))


def reference_payload(ref: ArtifactRef) -> bytes:
    """Return the payload that stands for a large body kept as an artifact."""
    return encode({_REFERENCE: ref.model_dump(mode="json")})


def payload_reference(payload: bytes) -> ArtifactRef | None:
    """Return the reference in a payload, or None where the payload is the body itself."""
    if not payload.startswith(b'{"$artifact":'):
        return None
    return ArtifactRef.model_validate(json.loads(payload)[_REFERENCE])


def verify_hashes(envelope: Envelope, previous_hash: str) -> None:
    """Check one envelope's payload hash and chain hash against its bytes.

    Raises:
        IntegrityError: naming the event, its place and the part that does not match.
    """
    where = f"{envelope.stream} #{envelope.sequence}"
    place = f"event {envelope.id} at position {envelope.position} ({where})"
    if digest_bytes(envelope.payload) != envelope.payload_hash:
        raise IntegrityError(f"{place}: the payload does not match its hash")
    reference = payload_reference(envelope.payload)
    body_hash = reference.digest if reference else envelope.payload_hash
    if digest_bytes(envelope.body) != body_hash:
        raise IntegrityError(f"{place}: the body is not what the payload holds")
    if envelope.previous_hash != previous_hash:
        raise IntegrityError(f"{place}: the chain is broken before this event")
    fields = envelope.model_dump(mode="json", include=set(_HEADER_FIELDS))
    if chain_hash(previous_hash, header_bytes(fields), envelope.payload_hash) != envelope.hash:
        raise IntegrityError(f"{place}: the header does not match its hash")
