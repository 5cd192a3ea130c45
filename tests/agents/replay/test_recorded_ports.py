"""Recorded ports take what a handler says and keeps, and let nothing through to the home."""

from collections.abc import Callable
from typing import Any

import pytest

from envwright.agents.replay.guard import Guard
from envwright.agents.replay.recorded_ports import PinnedJournal, SaidLog, ScratchArtifacts
from envwright.events import digest, digest_bytes
from envwright.events.canonical import Json
from envwright.events.errors import ArtifactMissingError, EffectError, EffectMissingError
from envwright.events.ports import Append, Commit, EffectCall
from support.office import Office
from support.store_events import gate

CALL = EffectCall(kind="gate", effect_class="pure", node="n", request={})


class Recorded:
    """A recorded journal that is told what to answer."""

    def __init__(self, answer: Json, *, counts: bool) -> None:
        self._answer = answer
        self._counts = counts
        self.served = 0
        self.reexecuted = 0

    def pins(self) -> dict[str, int]:
        raise AssertionError("the basis says what was read")

    def perform(self, call: EffectCall, action: Callable[[str], Json], **options: Any) -> Json:
        self.served += self._counts
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def unasked(self) -> tuple[str, ...]:
        return ("eff-1",)


def test_what_is_committed_is_kept_in_the_order_in_which_it_was_said(office: Office) -> None:
    log = SaidLog(office.runtime.log, "wrk-1", Guard())
    said = [gate(digest(["wrk-1", n]), "p") for n in range(3)]
    log.commit(Commit(appends=(Append(stream=said[1].fact.stream, events=(said[1], said[0])),)))
    log.commit(Commit(appends=(Append(stream=said[2].fact.stream, events=(said[2],)),)))
    assert log.said == said and log.parts == [2, 3]
    assert office.runtime.log.head() == 0


def test_whatever_else_is_asked_of_the_log_is_noted_and_answered(office: Office) -> None:
    with Guard() as guard:
        assert SaidLog(office.runtime.log, "wrk-1", guard).head() == 0
    assert [reading.call for reading in guard.readings] == ["log.head"]


def test_artifacts_are_kept_for_as_long_as_the_scratch_lasts(office: Office) -> None:
    kept = office.runtime.artifacts
    known = kept.put(b"known")
    scratch = ScratchArtifacts(kept)
    assert scratch.put(b"known") == known
    fresh = scratch.put(b"fresh", "text/plain")
    assert (fresh.digest, fresh.size) == (digest_bytes(b"fresh"), 5)
    assert scratch.get(fresh.digest) == b"fresh" and scratch.get(known.digest) == b"known"
    assert scratch.has(fresh.digest) and scratch.has(known.digest)
    assert not kept.has(fresh.digest)
    with pytest.raises(ArtifactMissingError):
        scratch.get("0" * 64)


def test_reads_are_pinned_to_the_basis_and_effects_are_served() -> None:
    journal = PinnedJournal(Recorded({"a": 1}, counts=True), {"run/1": 4})
    assert journal.pins() == {"run/1": 4}
    assert journal.perform(CALL, lambda key: None, reads={}) == {"a": 1}
    assert (journal.served, journal.reexecuted, journal.unasked()) == (1, 0, ("eff-1",))
    assert journal.problems == []


@pytest.mark.parametrize(
    ("error", "recorded"), [(EffectError("as recorded"), True), (EffectMissingError("no"), False)]
)
def test_only_what_is_not_recorded_is_a_problem(error: EffectError, recorded: bool) -> None:
    journal = PinnedJournal(Recorded(error, counts=recorded), {})
    with pytest.raises(EffectError):
        journal.perform(CALL, lambda key: None, reads={})
    assert journal.problems == ([] if recorded else [error])
