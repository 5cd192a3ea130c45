"""Records: prepared headers are the canonical ones, and rows become envelopes again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import (
    GENESIS,
    chain_hash,
    digest_bytes,
    encode,
    fact_data,
    header_bytes,
)
from envwright.events.errors import IntegrityError
from envwright.events.values import ArtifactRef
from envwright.store.records import (
    StoredEvent,
    body_of,
    header_fields,
    place,
    prepare,
    restore,
)
from support.any_fact import JSON, TEXT, facts
from support.store_events import event


class NoArtifacts:
    def put(self, data: bytes, media_type: str = "") -> ArtifactRef:
        raise AssertionError("nothing here is large")

    def get(self, digest: str) -> bytes:
        return b'{"from": "artifact"}'

    def has(self, digest: str) -> bool:
        return False


# The writer puts the sequence where it finds its mark; metrics may hold the same text.
METRICS = st.dictionaries(st.sampled_from(["a", "sequence", "stream", "type"]), JSON | st.just(0))


@given(fact=facts(), metrics=METRICS, sequence=st.integers(1, 2**40))
def test_a_prepared_header_is_the_canonical_one(fact, metrics, sequence):
    new = event(fact, "key").model_copy(update={"metrics": metrics})
    prepared = prepare(new, fact.stream, NoArtifacts())
    fields = new.model_dump(mode="json", exclude={"fact"}) | {
        "type": new.type,
        "schema_version": fact.schema_version,
        "stream": fact.stream,
        "sequence": sequence,
        "metrics": metrics,
    }
    assert prepared.header(sequence) == header_bytes(fields)


HARD = [2**53, 2**63, 2**64 - 1, 2**64, -(2**63) - 1, 1e19, 1e300, 0.1, "\ud83d", "\x7f", [[2**70]]]


@pytest.mark.parametrize("value", HARD, ids=repr)
def test_a_header_with_a_hard_value_is_read_as_json_reads_it(value):
    header = encode({"metrics": {"value": value}, "id": "1"})
    fields = header_fields(header)
    assert repr(fields) == repr(json.loads(header))


@given(metrics=st.dictionaries(TEXT, JSON))
def test_any_header_is_read_as_json_reads_it(metrics):
    header = encode({"metrics": metrics, "id": "1"})
    assert repr(header_fields(header)) == repr(json.loads(header))


@pytest.mark.parametrize("header", [b"no json", b"[1]", b'{"position": 1}', b"{}", b'{"id": 1}'])
def test_an_unreadable_header_is_named_by_its_place(header):
    stored = StoredEvent(7, header, "", GENESIS, "", "now", b"{}")
    with pytest.raises(IntegrityError, match="position 7 has an unreadable header"):
        restore(stored, NoArtifacts())


@given(fact=facts(), sequence=st.integers(1, 9))
def test_a_placed_event_is_chained_and_restored(fact, sequence):
    new = event(fact, "key")
    placed = place(prepare(new, fact.stream, NoArtifacts()), sequence, GENESIS)
    assert placed.payload_hash == digest_bytes(new.body)
    assert placed.hash == chain_hash(GENESIS, placed.header, placed.payload_hash)
    stored = StoredEvent(
        7, placed.header, placed.payload_hash, GENESIS, placed.hash, "now", new.body
    )
    envelope = restore(stored, NoArtifacts())
    assert (envelope.position, envelope.sequence, envelope.stream) == (7, sequence, fact.stream)
    assert envelope.fact == fact and envelope.data == json.loads(json.dumps(fact_data(fact)))


def test_a_body_is_its_payload_or_the_artifact_that_it_names():
    assert body_of(b'{"a":1}', NoArtifacts()) == b'{"a":1}'
    reference = b'{"$artifact":{"digest":"%s","media_type":"x","size":1}}' % (b"0" * 64)
    assert body_of(reference, NoArtifacts()) == b'{"from": "artifact"}'
