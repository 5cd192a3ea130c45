"""Records: prepared headers are the canonical ones, and rows become envelopes again."""

import json

from hypothesis import given
from hypothesis import strategies as st

from envwright.events import GENESIS, chain_hash, digest_bytes, fact_data, header_bytes
from envwright.events.values import ArtifactRef
from envwright.store.records import StoredEvent, body_of, place, prepare, restore
from support.any_fact import JSON, facts
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
