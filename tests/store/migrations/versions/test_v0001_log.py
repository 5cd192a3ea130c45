"""Version 1 of the tables: a home that was made before migrations were counted is adopted."""

import sqlite3
from pathlib import Path

import pytest

from envwright.store import open_store
from envwright.store.migrations import revision_of
from envwright.store.schema import METADATA, SCHEMA_VERSION, VERSION_TABLE
from support.rooms import ROOT
from support.store_conformance_log import verify
from support.store_events import commit, gate

OLD = ROOT / "tests" / "data" / "store" / "home-v1.sql"

KEPT = ("events", "payloads", "inbox", "leases", "cursors", "projections", "log_head")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    raw = sqlite3.connect(tmp_path / "log.sqlite")
    raw.executescript(OLD.read_text(encoding="utf-8"))
    raw.close()
    return tmp_path


def rows(home: Path, *tables: str) -> dict[str, list[object]]:
    raw = sqlite3.connect(home / "log.sqlite")
    found = {table: raw.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    raw.close()
    return found


def test_a_home_of_version_1_is_upgraded_and_loses_nothing(home: Path):
    before = rows(home, *KEPT)
    store = open_store(home)
    assert rows(home, *KEPT) == before
    assert verify(store.log) == 4 and store.log.cursor("c") == 3
    assert store.log.commit(commit(gate("5"))).positions == (5,)
    assert store.replay().diverged is None
    store.close()
    assert rows(home, VERSION_TABLE) == {VERSION_TABLE: [(revision_of(SCHEMA_VERSION),)]}


def test_it_comes_to_the_tables_and_triggers_that_are_made_anew(home: Path, tmp_path: Path):
    fresh = tmp_path / "fresh"
    for each in (home, fresh):
        open_store(each).close()
    assert schema(home) == schema(fresh)
    assert METADATA.tables.keys() <= schema(home).keys()


def schema(home: Path) -> dict[str, str]:
    raw = sqlite3.connect(home / "log.sqlite")
    found = raw.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    raw.close()
    return {name: " ".join(sql.split()) for name, sql in found}


def test_an_upgrade_that_fails_leaves_the_home_as_it_was(home: Path):
    raw = sqlite3.connect(home / "log.sqlite")
    raw.execute("CREATE TABLE merkle_checkpoints (in_the_way)")
    raw.close()
    before = schema(home), rows(home, *KEPT)
    with pytest.raises(Exception, match="merkle_checkpoints already exists"):
        open_store(home)
    assert (schema(home), rows(home, *KEPT)) == before
