"""The embedded home."""

import pytest

from envwright.events.catalog import RunRequested
from envwright.events.values import RunSettings
from envwright.store import FsspecArtifacts, open_store
from support.store_events import commit, event, gate


def test_a_home_has_its_layout(tmp_path):
    store = open_store(tmp_path / "deep" / "home")
    store.artifacts.put(b"data")
    store.log.commit(commit(gate("1")))
    names = {path.name for path in store.home.iterdir()}
    assert names == {"log.sqlite", "log.sqlite-wal", "log.sqlite-shm", "log.lock", "artifacts"}
    store.close()


def test_a_home_opens_again_where_it_was_left(tmp_path):
    store = open_store(tmp_path)
    asked = RunRequested(run="r", settings=RunSettings(recipe="x", count=1), sources=())
    store.log.commit(commit(event(asked, "1", run="r")))
    store.close()
    again = open_store(tmp_path)
    assert again.log.head() == 1 and again.replay().compared == 1
    assert [row["run"] for row in again.read_models.rows("run-list")] == ["r"]
    again.close()


def test_artifacts_may_stand_elsewhere(tmp_path):
    pytest.importorskip("fsspec")
    store = open_store(tmp_path / "home", artifacts=f"memory://{tmp_path.name}")
    assert isinstance(store.artifacts, FsspecArtifacts)
    store.log.commit(commit(gate("1", detail="x" * 100_000)))
    assert store.replay().diverged is None
    assert not (tmp_path / "home" / "artifacts").exists()
    store.close()
