"""Seals: made when a run ends, and never in its way."""

import logging
import threading
import time

import pytest

from envwright.agents.audit.seals import seal_quietly
from envwright.agents.bootstrap import open_evidence
from envwright.events.errors import InfrastructureError, IntegrityError
from support.office import Office


class Seals:
    """Seals that do as they are told."""

    def __init__(self, seal: Exception | None = None, publish: Exception | None = None) -> None:
        self._seal, self._publish = seal, publish
        self.asked: list[object] = []
        self.hold = threading.Event()
        self.hold.set()

    def seal(self, minimum: int = 1) -> object:
        self.asked.append(minimum)
        if self._seal:
            raise self._seal
        return None

    def publish(self) -> int:
        self.hold.wait(10)
        if self._publish:
            raise self._publish
        self.asked.append("published")
        return 0


def test_the_log_is_sealed_and_anchored():
    seals = Seals()
    seal_quietly(seals, minimum=7)
    assert seals.asked == [7, "published"]
    seal_quietly(None)


@pytest.mark.parametrize(
    ("seals", "word"),
    [
        (Seals(seal=IntegrityError("a hole")), "could not be sealed: a hole"),
        (Seals(seal=OSError("no disk")), "could not be sealed: no disk"),
        (Seals(publish=InfrastructureError("no way")), "not anchored yet: no way"),
    ],
)
def test_what_goes_wrong_is_a_warning(seals, word, caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("envwright"), "propagate", True)
    seal_quietly(seals)
    assert word in caplog.text


def test_anchors_that_do_not_answer_hold_nobody_up(caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("envwright"), "propagate", True)
    seals = Seals()
    seals.hold.clear()
    began = time.monotonic()
    seal_quietly(seals, patience=0.05)
    assert time.monotonic() - began < 5
    assert "did not answer" in caplog.text
    seals.hold.set()


def test_the_end_of_a_run_seals_its_log_and_anchors_it(office: Office):
    run = office.request()
    assert office.finish(run) == "completed"
    head = office.runtime.log.head()
    with open_evidence(office.runtime.config) as evidence:
        kept = evidence.anchors().read()
        assert [found.record["to"] for found in kept if found.record] == [head]


def test_a_run_ends_as_well_where_no_anchor_can_be_reached(office: Office, tmp_path):
    (tmp_path / "file").write_text("")
    blocked = office.beside(anchors=str(tmp_path / "file" / "anchors"))
    run = blocked.request()
    assert blocked.finish(run) == "completed"
    # The next seal takes its anchors along.
    again = office.request("lid is loose")
    assert office.finish(again) == "completed"
    with open_evidence(office.runtime.config) as evidence:
        assert len(evidence.anchors().read()) == 2
