"""The sealer: once for each state of the log, whoever asks, and caught up where it could not."""

import threading

import pytest

from envwright.events.errors import IntegrityError
from envwright.store.sealing.anchors import open_anchors
from envwright.store.sealing.records import kept_checkpoints
from support.sealed_home import SealedHome
from support.store_tampering import tampering


@pytest.fixture
def home(tmp_path):
    home = SealedHome(tmp_path)
    yield home
    home.close()


def test_an_empty_log_is_not_sealed(home):
    assert home.evidence.sealer.seal() is None
    assert home.evidence.sealer.publish() == 0
    assert not home.anchors.exists() and not (home.anchors.parent / "keys").exists()


def test_checkpoints_cover_the_log_one_after_the_other(home):
    home.write()
    first = home.evidence.sealer.seal()
    assert home.evidence.sealer.seal() == first
    home.write("run-2")
    second = home.evidence.sealer.seal()
    head = home.store.log.head()
    assert first is not None and second is not None
    assert (first["from"], first["to"], second["from"], second["to"]) == (
        0, first["to"], first["to"], head,
    )  # fmt: skip
    assert (first["number"], second["number"]) == (1, 2) and first["home"] == second["home"]


def test_a_few_events_may_wait(home):
    home.write(packages=1)
    head = home.store.log.head()
    assert home.evidence.sealer.seal(head + 1) is None
    assert home.evidence.sealer.seal(head) is not None


def test_threads_that_seal_at_once_seal_once(home):
    home.write()
    found = []
    start = threading.Barrier(4)

    def seal() -> None:
        sealer = home.evidence.sealer
        start.wait()
        found.append(sealer.seal())
        sealer.publish()

    threads = [threading.Thread(target=seal) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept_checkpoints(home.store.database)) == 1
    assert len(found) == 4 and all(record == found[0] for record in found)
    assert len(open_anchors(str(home.anchors), "").read()) == 1
    assert home.failed() == {}


def test_anchors_catch_up_with_what_they_lack(home):
    home.write()
    home.evidence.sealer.seal()
    home.write("run-2")
    home.evidence.sealer.seal()
    assert home.evidence.sealer.publish() == home.store.log.head()
    records = [found.record for found in open_anchors(str(home.anchors), "").read()]
    assert records == [kept.record for kept in kept_checkpoints(home.store.database)]


@pytest.mark.parametrize("position", [1, 3, -1])
def test_a_log_with_a_hole_is_not_signed(home, position):
    home.write()
    with tampering(home.home) as raw:
        raw.execute(
            "DELETE FROM events WHERE position = ?", (position % (home.store.log.head() + 1),)
        )
    with pytest.raises(IntegrityError, match="is missing"):
        home.evidence.sealer.seal()
    assert kept_checkpoints(home.store.database) == []


def test_nothing_is_signed_on_top_of_a_forged_checkpoint(home):
    home.write()
    home.seal()
    with tampering(home.home) as raw:
        raw.execute("UPDATE merkle_checkpoints SET root = ?", ("0" * 64,))
    home.write("run-2")
    with pytest.raises(IntegrityError, match="frontier"):
        home.evidence.sealer.seal()
