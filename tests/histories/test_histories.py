"""Logs that earlier versions wrote are read, verified and folded by today's code, for ever."""

import filecmp
from collections.abc import Iterator
from pathlib import Path

import pytest

from envwright.events import FACTS, GENESIS, verify_hashes
from envwright.events.errors import UnknownSchemaError
from envwright.store import Projector, Store
from envwright.store.readmodels import Packages
from support.history import HISTORIES, History, findings, write_history

GOOD = sorted(path.parent for path in HISTORIES.glob("v*/events.jsonl"))
LIMIT = 300_000


@pytest.fixture(params=GOOD, ids=lambda folder: folder.name)
def history(request: pytest.FixtureRequest) -> History:
    return History(request.param)


@pytest.fixture
def loaded(history: History, tmp_path: Path) -> Iterator[Store]:
    store = history.load(tmp_path / "home")
    yield store
    store.close()


@pytest.fixture
def bad(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = History(HISTORIES / request.param).load(tmp_path / "home")
    yield store
    store.close()


def test_there_is_a_history_of_every_schema_of_the_log() -> None:
    assert [folder.name for folder in GOOD] == ["v1-mending"]
    assert sum(path.stat().st_size for folder in GOOD for path in folder.iterdir()) < LIMIT


def test_it_is_loaded_byte_for_byte(history: History, loaded: Store, tmp_path: Path) -> None:
    write_history(tmp_path / "again", loaded)
    for name in ("events.jsonl", "artifacts.jsonl"):
        assert filecmp.cmp(history.folder / name, tmp_path / "again" / name, shallow=False)


def test_its_chains_hold(loaded: Store) -> None:
    heads: dict[str, str] = {}
    for envelope in loaded.log.read_all():
        verify_hashes(envelope, heads.get(envelope.stream, GENESIS))
        heads[envelope.stream] = envelope.hash


def test_it_folds_to_what_it_always_folded_to(history: History, loaded: Store) -> None:
    found, expected = findings(loaded), history.expected
    assert set(found["projections"]) <= set(expected["projections"]), (
        "a read model is new or has a new name: python tests/histories/record.py --expect"
    )
    for name, digest in found["projections"].items():
        assert digest == expected["projections"][name], (
            f"the fold of {name!r} has changed: rows that homes keep differ from it, so that a "
            "changed fold takes a new name"
        )
    assert {**found, "projections": None} == {**expected, "projections": None}


def test_each_event_becomes_a_fact_of_todays_class(loaded: Store) -> None:
    seen = set()
    for envelope in loaded.log.read_all():
        assert type(envelope.fact) is FACTS[envelope.type]
        assert envelope.fact.stream == envelope.stream
        seen.add(envelope.type)
    assert len(seen) >= 39, "every type that there was when it was recorded"


def test_what_is_kept_of_it_can_be_caught_up_and_followed(loaded: Store) -> None:
    assert loaded.read_models.catch_up() == loaded.log.head()
    assert loaded.replay().diverged is None
    assert {state.parked for state in loaded.read_models.states()} == {None}


@pytest.mark.parametrize("bad", ["bad-payload"], indirect=True)
def test_the_history_that_was_tampered_with_is_refused_at_its_event(bad: Store) -> None:
    diverged = bad.replay().diverged
    tampered = list(bad.log.read_all())[7]
    assert diverged is not None and diverged.event == tampered.id
    assert diverged.expected == f"payload {tampered.payload_hash}"


@pytest.mark.parametrize("bad", ["bad-version"], indirect=True)
def test_the_history_of_a_later_version_is_refused_not_guessed_at(bad: Store) -> None:
    *earlier, last = bad.log.read_all()
    assert all(envelope.fact for envelope in earlier)
    with pytest.raises(UnknownSchemaError, match="schema version 99"):
        assert last.fact
    projector = Projector(bad.log, Packages())
    assert projector.catch_up() == last.position - 1
    parked = projector.state().parked
    assert parked is not None and parked.event == last.id and "version 99" in parked.error
