"""Verification: the same findings whatever the ranges and however many processes share them."""

import multiprocessing
import os
from functools import partial

import pytest

from envwright.events.catalog import RunStarted
from envwright.events.errors import InfrastructureError
from envwright.store import open_store
from envwright.store import verification as module
from envwright.store.verification import Verified, verify_log
from support.audited_log import Writer
from support.sealed_home import SealedHome
from support.store_tampering import flip, tampering


@pytest.fixture
def home(tmp_path):
    home = SealedHome(tmp_path)
    home.write(packages=3)
    yield home
    home.close()


@pytest.fixture(params=[1, 7, 25_000])
def span(request, monkeypatch):
    """Let ranges be small, so that streams go on from one to the next."""
    query = module._END_OF_RANGE.replace(
        f"OFFSET {module.RANGE - 1}", f"OFFSET {request.param - 1}"
    )
    monkeypatch.setattr(module, "_END_OF_RANGE", query)
    monkeypatch.setattr(module, "RANGE", request.param)


def verify(home: SealedHome, **how: object) -> Verified:
    return verify_log(partial(open_store, home.home), **how)


def test_a_sound_log_is_verified_to_its_end(home, span):
    seen = []
    found = verify(home, workers=1, progress=lambda done, total: seen.append((done, total)))
    assert found.chains.checked == home.store.log.head() == seen[-1][0]
    assert found.chains.failed == found.artifacts.failed == 0
    assert found.artifacts.checked == 4  # Three pieces of evidence, and one bundle that is shared.
    assert all(done <= total or total < module.RANGE for done, total in seen)


def test_each_wrong_event_is_named_once(home, span):
    with tampering(home.home) as raw:
        flip(raw, "payloads", "body", 5, 20)
        flip(raw, "events", "header", 30, 60)
        flip(raw, "events", "run_id", 40, 0)
    found = verify(home, workers=1).chains
    assert [failure.position for failure in found.failures] == [5, 30, 40]
    assert found.checked == home.store.log.head()


def test_processes_find_what_one_finds(home):
    with tampering(home.home) as raw:
        flip(raw, "payloads", "body", 5, 20)
    assert verify(home, workers=2).chains == verify(home, workers=1).chains


def test_a_missing_and_an_altered_artifact_are_named_by_the_events_that_name_them(home):
    bundle = home.store.artifacts.put(b"bundle").digest
    (home.home / "artifacts" / bundle[:2] / bundle[2:]).write_bytes(b"bundlE")
    found = verify(home, workers=1).artifacts
    naming = [
        event.position for event in home.store.log.read_all() if bundle.encode() in event.payload
    ]
    assert [failure.position for failure in found.failures] == naming
    assert found.failures[0].expected == f"artifact {bundle}"


def test_a_file_damaged_below_its_rows_is_a_failure(home):
    home.close()
    path = home.home / "log.sqlite"
    with tampering(home.home) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = raw.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'payloads'").fetchone()[
            0
        ]
        size = raw.execute("PRAGMA page_size").fetchone()[0]
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    path.write_bytes(data)
    found = verify(home, workers=1).chains
    assert found.failures[0].expected == "a readable row"


def test_a_process_that_dies_is_an_infrastructure_error(home, monkeypatch):
    with pytest.raises(InfrastructureError, match="has died"):
        verify_log(partial(_dying, home.home), workers=2)


def _dying(home):
    """Open a store in the process that asks, and die in any other."""
    if multiprocessing.parent_process() is not None:
        os._exit(1)
    return open_store(home)


@pytest.mark.parametrize("manifest", [b"nonsense", b"[1]", b'{"files":[1]}', b'{"files":[{}]}'])
def test_a_manifest_that_cannot_be_read_is_a_failure_and_no_crash(home, manifest):
    writer = Writer(home.store.log, home.store.artifacts)
    kind = "application/vnd.envwright.package+json"
    profile = home.store.artifacts.put(manifest, kind)
    started = RunStarted(run="run-1", recipe="r", recipe_version="1", sources=(), profile=profile)
    writer.say("planner", started)
    writer.commit()
    found = verify(home, workers=1).artifacts
    assert [failure.position for failure in found.failures] == [home.store.log.head()]
