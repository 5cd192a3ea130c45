"""Version 2 of the tables: a log that was made before it can be sealed."""

import sqlite3
from functools import partial
from pathlib import Path

import pytest

from envwright.store import open_store
from envwright.store.sealing import Evidence
from support.rooms import ROOT

OLD = ROOT / "tests" / "data" / "store" / "home-v1.sql"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    raw = sqlite3.connect(tmp_path / "log.sqlite")
    raw.executescript(OLD.read_text(encoding="utf-8"))
    raw.close()
    return tmp_path


def test_an_older_home_is_sealed_from_its_first_event_on(home: Path):
    store = open_store(home)
    evidence = Evidence(store.database, partial(open_store, home))
    record = evidence.sealer.seal()
    assert record is not None and (record["from"], record["to"]) == (0, store.log.head())
    store.close()


@pytest.mark.parametrize(
    "statement", ["UPDATE merkle_checkpoints SET root = ''", "DELETE FROM merkle_checkpoints"]
)
def test_its_seals_cannot_be_changed(home: Path, statement: str):
    store = open_store(home)
    Evidence(store.database, partial(open_store, home)).sealer.seal()
    store.close()
    raw = sqlite3.connect(home / "log.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute(statement)
    raw.close()
