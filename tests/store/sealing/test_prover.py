"""The prover: small proofs of every event and every growth, and a word where there is none."""

import json

import pytest

from envwright.events.errors import BadInputError, IntegrityError
from envwright.store.sealing.verify import verify_proof
from support.sealed_home import SealedHome
from support.store_tampering import tampering


@pytest.fixture
def home(tmp_path):
    home = SealedHome(tmp_path)
    for run in ("run-1", "run-2", "run-3"):
        home.write(run, packages=1)
        home.seal()
    yield home
    home.close()


def test_every_event_is_proved_by_id_and_by_position(home):
    events = list(home.store.log.read_all())
    for event in (events[0], events[17], events[-1]):
        by_id = home.evidence.prover.inclusion(event.id)
        assert by_id == home.evidence.prover.inclusion(str(event.position))
        assert event.id in verify_proof(by_id, home.key.public_keys)
        assert len(by_id["path"]) <= (len(events) - 1).bit_length()


def test_every_pair_of_checkpoints_is_proved(home):
    for first, second in ((1, 2), (1, 3), (2, 3), (3, 3)):
        proof = json.loads(json.dumps(home.evidence.prover.consistency(first, second)))
        assert f"(checkpoint {second})" in verify_proof(proof, home.key.public_keys)


def test_an_unknown_or_unsealed_event_has_no_proof(home):
    for event in ("nonsense", "9999"):
        with pytest.raises(BadInputError, match="no event"):
            home.evidence.prover.inclusion(event)
    home.write("run-4", packages=1)
    with pytest.raises(BadInputError, match="no checkpoint covers"):
        home.evidence.prover.inclusion(str(home.store.log.head()))


@pytest.mark.parametrize(
    ("pair", "word"), [((0, 1), "no checkpoint 0"), ((1, 9), "has 1 to 3"), ((2, 1), "comes after")]
)
def test_checkpoints_must_be_there_and_in_order(home, pair, word):
    with pytest.raises(BadInputError, match=word):
        home.evidence.prover.consistency(*pair)


def test_an_event_of_unreadable_bytes_has_no_proof(home):
    with tampering(home.home) as raw:
        raw.execute("UPDATE payloads SET body = ? WHERE position = 5", (b"\xff",))
    with pytest.raises(IntegrityError, match="is unreadable"):
        home.evidence.prover.inclusion("5")


def test_a_log_with_a_hole_proves_nothing(home):
    with tampering(home.home) as raw:
        raw.execute("DELETE FROM events WHERE position = 5")
    with pytest.raises(IntegrityError, match="not complete"):
        home.evidence.prover.inclusion("20")
