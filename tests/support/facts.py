"""Recorded events made by hand, for folds that need no log."""

from collections.abc import Iterable
from typing import Any

from envwright.events import (
    GENESIS,
    Envelope,
    Fact,
    NewEvent,
    chain_hash,
    digest_bytes,
    header_bytes,
)
from envwright.events.values import Actor

ACTOR = Actor(role="system", instance="test", code_version="0")


def new_event(fact: Fact, key: str, run_id: str = "r") -> NewEvent:
    """Return a fact about to be committed."""
    package = getattr(fact, "package", run_id)
    return NewEvent(
        fact=fact, run_id=run_id, correlation_id=package, actor=ACTOR, idempotency_key=key
    )


def header(event: NewEvent, sequence: int) -> dict[str, Any]:
    """Return the header fields of an event at a place in its stream."""
    return {
        **event.model_dump(mode="json", exclude={"fact"}),
        "type": event.type,
        "schema_version": event.fact.model_dump()["schema_version"],
        "stream": event.fact.stream,
        "sequence": sequence,
    }


def recorded(facts: Iterable[Fact]) -> list[Envelope]:
    """Return envelopes with true hashes, as a log would give them back."""
    heads: dict[str, tuple[int, str]] = {}
    envelopes = []
    for position, fact in enumerate(facts, start=1):
        event = new_event(fact, f"key-{position}")
        sequence, previous = heads.get(fact.stream, (0, GENESIS))
        payload_hash = digest_bytes(event.body)
        fields = header(event, sequence + 1)
        hashed = chain_hash(previous, header_bytes(fields), payload_hash)
        heads[fact.stream] = (sequence + 1, hashed)
        envelopes.append(
            Envelope(
                **fields,
                position=position,
                recorded_at=event.occurred_at,
                payload_hash=payload_hash,
                previous_hash=previous,
                hash=hashed,
                payload=event.body,
                body=event.body,
            )
        )
    return envelopes
