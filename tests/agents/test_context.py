"""What a handler may read, do and say, and what becomes of it when its process dies."""

import pytest

from envwright.agents.context import Context
from envwright.events import Envelope, digest
from envwright.events.catalog import (
    BriefPlanned,
    PackageAbandoned,
    RoundOpened,
    RunPaused,
    RunRequested,
    RunResumed,
    SourceIngested,
    TurnTaken,
)
from envwright.events.errors import ConcurrencyError, FencedError, IntegrityError
from envwright.events.ports import EffectCall
from envwright.events.values import ArtifactRef, Brief, Turn
from support.office import Office

EMPTY = ArtifactRef(digest="0" * 64, size=0)
LOOK = EffectCall(kind="look", effect_class="pure", node="n", request={"what": "x"})


def ingested(name: str) -> SourceIngested:
    """A fact on a stream of its own."""
    return SourceIngested(source=name, name=name, artifact=EMPTY, format="f", records=1)


@pytest.fixture
def cause(office: Office) -> Envelope:
    """The request of a run, which nobody has answered."""
    run = office.request()
    return next(iter(office.runtime.log.read(f"run/{run}")))


@pytest.fixture
def stream(cause: Envelope) -> str:
    return cause.stream


def interrupt(office: Office, run: str) -> None:
    """Let a run's stream move on."""
    office.runtime.record(RunResumed(run=run))


def sequences(events: list[Envelope]) -> list[int]:
    return [event.sequence for event in events]


def test_reads_are_pinned_for_the_whole_try(office: Office, cause: Envelope, stream: str) -> None:
    ctx = office.context(cause)
    assert sequences(ctx.read(stream)) == [1]
    interrupt(office, cause.run_id)
    assert sequences(ctx.read(stream)) == [1]
    assert ctx.read("source/unknown") == []


def test_a_takeover_reads_what_its_predecessor_had_read_before_an_effect(
    office: Office, cause: Envelope, stream: str
) -> None:
    first = office.context(cause)
    first.read(stream)
    first.effect(LOOK, lambda key: "seen")
    interrupt(office, cause.run_id)
    office.die()
    again = office.context(cause)
    assert sequences(again.read(stream)) == [1]
    assert again.effect(LOOK, lambda key: "not asked again") == "seen"
    again.commit()
    entry = office.runtime.log.inbox("envwright.planner", cause.id)
    assert entry is not None and entry.basis == {stream: 1}


def test_a_new_try_reads_afresh(office: Office, cause: Envelope, stream: str) -> None:
    first = office.context(cause)
    first.read(stream)
    first.effect(LOOK, lambda key: "seen")
    interrupt(office, cause.run_id)
    office.runtime.leases.retry(first.claim, delay=0)
    again = office.context(cause)
    assert sequences(again.read(stream)) == [1, 2]
    assert again.effect(LOOK, lambda key: "seen anew") == "seen anew"


def test_saying_something_on_a_stream_that_moved_on_is_a_conflict(
    office: Office, cause: Envelope, stream: str
) -> None:
    ctx = office.context(cause)
    ctx.read(stream)
    interrupt(office, cause.run_id)
    ctx.say(RunPaused(run=cause.run_id, cause="user"))
    with pytest.raises(ConcurrencyError):
        ctx.commit()
    assert office.runtime.log.inbox("envwright.planner", cause.id) is None


def test_a_stream_that_was_not_read_takes_facts_at_any_version(
    office: Office, cause: Envelope
) -> None:
    ctx = office.context(cause)
    interrupt(office, cause.run_id)
    ctx.say(RunPaused(run=cause.run_id, cause="user"))
    ctx.commit()
    assert office.facts(RunPaused)


def test_the_basis_is_what_was_read_so_far(office: Office, cause: Envelope, stream: str) -> None:
    ctx = office.context(cause)
    assert ctx.basis == {}
    ctx.read(stream)
    ctx.read("package/none")
    assert ctx.basis == {"package/none": 0, stream: 1}


def test_history_and_first_facts_leave_no_trace_in_the_basis(
    office: Office, cause: Envelope, stream: str
) -> None:
    ctx = office.context(cause)
    interrupt(office, cause.run_id)
    assert sequences(ctx.history()) == [1]
    assert ctx.first(stream, RunRequested) == cause.fact
    assert ctx.settings.recipe == "desk"
    ctx.commit()
    entry = office.runtime.log.inbox("envwright.planner", cause.id)
    assert entry is not None and entry.basis == {}


def test_the_first_fact_can_be_asked_for_by_what_it_says(
    office: Office, cause: Envelope, stream: str
) -> None:
    for number in (1, 2, 2):
        office.runtime.record(RoundOpened(run=cause.run_id, round=number, slots=number * 10))
    ctx = office.context(cause)
    assert ctx.first(stream, RoundOpened, lambda opened: opened.round == 2).slots == 20
    with pytest.raises(IntegrityError, match=r"no 'round\.opened', which run\.requested needs"):
        ctx.first(stream, RoundOpened, lambda opened: opened.round == 3)


def said_and_lost(office: Office, cause: Envelope, *, read: str | None = None) -> Context:
    """Say and flush something, and die before the end."""
    ctx = office.context(cause)
    if read is not None:
        ctx.read(read)
        ctx.effect(LOOK, lambda key: "seen")
    ctx.say(RunPaused(run=cause.run_id, cause="user"), ingested("a"))
    ctx.flush()
    office.die()
    return ctx


@pytest.mark.parametrize("flushed_again", [True, False])
@pytest.mark.parametrize("reads", [True, False])
def test_what_was_flushed_before_a_takeover_is_recorded_once(
    office: Office, cause: Envelope, stream: str, reads: bool, flushed_again: bool
) -> None:
    said_and_lost(office, cause, read=stream if reads else None)
    again = office.context(cause)
    if reads:
        again.read(stream)
        again.effect(LOOK, lambda key: "not asked again")
    again.say(RunPaused(run=cause.run_id, cause="user"), ingested("a"))
    if flushed_again:
        again.flush()
    again.say(RunResumed(run=cause.run_id), ingested("b"))
    again.commit()
    types = [event.type for event in office.runtime.log.read(stream)]
    assert types == ["run.requested", "run.paused", "run.resumed"]
    assert [fact.source for fact in office.facts(SourceIngested)] == ["a", "b"]


def test_a_retry_after_a_flush_leaves_no_double(office: Office, cause: Envelope) -> None:
    first = office.context(cause)
    first.say(ingested("a"))
    first.flush()
    office.runtime.leases.retry(first.claim, delay=0)
    again = office.context(cause)
    again.say(ingested("a"), ingested("b"))
    again.commit()
    assert [fact.source for fact in office.facts(SourceIngested)] == ["a", "b"]


def test_a_holder_that_lost_its_claim_records_nothing_more(office: Office, cause: Envelope) -> None:
    lost = said_and_lost(office, cause)
    office.context(cause)
    lost.say(ingested("late"))
    for record in (lost.flush, lost.commit):
        with pytest.raises(FencedError):
            record()
    with pytest.raises(FencedError):
        lost.effect(LOOK, lambda key: "late")
    assert [fact.source for fact in office.facts(SourceIngested)] == ["a"]


def test_an_empty_flush_records_nothing(office: Office, cause: Envelope) -> None:
    ctx = office.context(cause)
    before = office.runtime.log.head()
    ctx.flush()
    assert office.runtime.log.head() == before


def test_the_inbox_row_keeps_the_basis_and_every_event_its_digest(
    office: Office, cause: Envelope, stream: str
) -> None:
    ctx = office.context(cause)
    ctx.read(stream)
    ctx.read("source/none")
    ctx.say(ingested("a"))
    assert [fact.type for fact in ctx.said()] == ["source.ingested"]
    ctx.commit()
    assert ctx.said() == ()
    entry = office.runtime.log.inbox("envwright.planner", cause.id)
    assert entry is not None
    assert entry.basis == {stream: 1, "source/none": 0}
    [event] = office.events("source.ingested")
    assert event.basis == digest(entry.basis)
    assert event.causation_id == cause.id
    assert event.actor.role == "planner"
    assert event.metrics["effects_reexecuted"] == 0


def test_events_correlate_with_the_package_they_are_about_or_else_the_run(
    office: Office, cause: Envelope
) -> None:
    brief = Brief(
        package="p", recipe="desk", recipe_version="1", round=1, ordinal=1, content_seed="s"
    )
    ctx = office.context(cause)
    ctx.say(
        RunResumed(run=cause.run_id),
        ingested("a"),
        BriefPlanned(run=cause.run_id, brief=brief),
        PackageAbandoned(package="q", round=1, ordinal=2, reason="NO_TASK"),
        TurnTaken(attempt="a", turn=Turn(index=1, calls=(), observations=())),
    )
    ctx.commit()
    found = {event.type: event.correlation_id for event in office.events()}
    run = cause.run_id
    assert found["run.resumed"] == found["source.ingested"] == run
    assert (found["brief.planned"], found["package.abandoned"]) == ("p", "q")
    assert found["turn.taken"] == cause.correlation_id


def test_an_idempotency_key_is_that_of_the_work_and_the_place_alone(
    office: Office, cause: Envelope
) -> None:
    ctx = office.context(cause)
    ctx.say(ingested("a"), ingested("b"))
    ctx.commit()
    keys = [event.idempotency_key for event in office.events("source.ingested")]
    assert keys == [digest([ctx.delivery.work.work, number]) for number in (0, 1)]
