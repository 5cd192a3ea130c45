"""The published language of Envwright: events, values and ports. Loads pydantic and no more."""

from envwright.events.canonical import Json, digest, digest_bytes, encode, equal, normalise
from envwright.events.catalog import FACTS, AnyFact, Fact
from envwright.events.choreography import ROLES, WRITERS, roles_for, scope_of, work_topic
from envwright.events.envelope import (
    GENESIS,
    PAYLOAD_LIMIT,
    Envelope,
    NewEvent,
    chain_hash,
    fact_data,
    header_bytes,
    payload_reference,
    reference_payload,
    utc_now,
    verify_hashes,
)
from envwright.events.identifiers import content_seed, derive_id, mint_run_id, uuid7, work_id
from envwright.events.upcasting import UPCASTERS, decode

__all__ = [
    "FACTS",
    "GENESIS",
    "PAYLOAD_LIMIT",
    "ROLES",
    "UPCASTERS",
    "WRITERS",
    "AnyFact",
    "Envelope",
    "Fact",
    "Json",
    "NewEvent",
    "chain_hash",
    "content_seed",
    "decode",
    "derive_id",
    "digest",
    "digest_bytes",
    "encode",
    "equal",
    "fact_data",
    "header_bytes",
    "mint_run_id",
    "normalise",
    "payload_reference",
    "reference_payload",
    "roles_for",
    "scope_of",
    "utc_now",
    "uuid7",
    "verify_hashes",
    "work_id",
    "work_topic",
]
