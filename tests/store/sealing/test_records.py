"""Records: checkpoints as they are kept, only added to, and the leaves under them."""

import sqlite3

import pytest

from envwright.events.errors import ConcurrencyError, IntegrityError
from envwright.store.sealing import records
from envwright.store.sealing.records import (
    chained,
    head,
    home_id,
    keep_checkpoint,
    kept_checkpoints,
    last_checkpoint,
    leaf_rows,
    log_id,
)
from envwright.store.sealing.tree import Frontier
from support.sealed_home import SealedHome
from support.store_tampering import tampering


@pytest.fixture
def sealed(tmp_path):
    home = SealedHome(tmp_path)
    home.write()
    home.seal()
    yield home
    home.close()


def test_an_empty_log_has_no_id_no_head_and_no_checkpoint(tmp_path):
    home = SealedHome(tmp_path)
    database = home.store.database
    assert (log_id(database), head(database), last_checkpoint(database)) == (None, 0, None)
    assert kept_checkpoints(database) == list(leaf_rows(database, 0, 10)) == []
    home.close()


def test_a_log_has_its_id_from_its_first_event(sealed):
    first = next(sealed.store.log.read_all(limit=1))
    assert log_id(sealed.store.database) == home_id(first.hash)
    assert home_id(first.hash) != home_id("0" * 64)


@pytest.mark.parametrize("page", [1, 7, 4096])
def test_leaves_come_in_order_whatever_the_page(sealed, monkeypatch, page):
    monkeypatch.setattr(records, "_LEAVES", records._LEAVES.replace("LIMIT 4096", f"LIMIT {page}"))
    monkeypatch.setattr(records, "_PAGE", page)
    events = list(sealed.store.log.read_all())
    rows = list(leaf_rows(sealed.store.database, 3, 20))
    assert [row.position for row in rows] == list(range(4, 21))
    assert [(row.id, row.hash) for row in rows] == [(e.id, e.hash) for e in events[3:20]]


def test_only_the_next_checkpoint_is_kept(sealed):
    kept = last_checkpoint(sealed.store.database)
    assert kept is not None and kept.record["number"] == 1
    with pytest.raises(ConcurrencyError, match="no longer the next"):
        sealed.store.database.write(
            lambda tx: keep_checkpoint(
                tx, kept.record, Frontier(*(kept.record["to"], kept.tree().peaks))
            )
        )


@pytest.mark.parametrize(
    "statement", ["UPDATE merkle_checkpoints SET root = 'x'", "DELETE FROM merkle_checkpoints"]
)
def test_what_is_kept_cannot_be_changed(sealed, statement):
    raw = sqlite3.connect(sealed.home / "log.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute(statement)
    raw.close()


@pytest.mark.parametrize("frontier", ["[]", "nonsense", '["00"]'])
def test_a_frontier_that_is_not_of_its_root_is_refused(sealed, frontier):
    with tampering(sealed.home) as raw:
        raw.execute("UPDATE merkle_checkpoints SET frontier = ?", (frontier,))
    kept = last_checkpoint(sealed.store.database)
    assert kept is not None
    with pytest.raises(IntegrityError, match="frontier of checkpoint 1"):
        kept.tree()


def test_each_names_the_one_before(sealed):
    sealed.write("run-2")
    sealed.seal()
    first, second = (kept.record for kept in kept_checkpoints(sealed.store.database))
    assert chained(None) == first["previous"] == "0" * 64
    assert second["previous"] == chained(first) != chained(second)
    assert [kept.record for kept in kept_checkpoints(sealed.store.database, 1)] == [second]
