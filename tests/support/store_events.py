"""Builders of events, commits and work for the tests of the store and of its adapters."""

from envwright.events import Fact, NewEvent, work_id
from envwright.events.catalog import EffectClass, GateEvaluated, PackageCandidate, PackageDrafted
from envwright.events.envelope import Envelope
from envwright.events.ports import (
    Append,
    Claim,
    Commit,
    EffectCall,
    Fence,
    InboxEntry,
    Log,
    Work,
)
from envwright.events.values import Actor, ArtifactRef, GateResult

ACTOR = Actor(role="tester", instance="test", code_version="0")
RUN = "run-1"
GROUP = "group"
NO_BUNDLE = ArtifactRef(digest="b" * 64, size=0)


def event(fact: Fact, key: str, *, run: str = RUN) -> NewEvent:
    return NewEvent(
        fact=fact,
        run_id=run,
        correlation_id=fact.stream.partition("/")[2],
        actor=ACTOR,
        idempotency_key=key,
    )


def gate(key: str, package: str = "p", *, detail: str = "", run: str = RUN) -> NewEvent:
    """An event that rings no doorbell."""
    result = GateResult(gate="reference", version="1", verdict="pass", detail=detail)
    fact = GateEvaluated(package=package, revision="a" * 64, result=result)
    return event(fact, key, run=run)


def drafted(key: str, package: str = "p", *, run: str = RUN) -> NewEvent:
    """An event that rings the Tester's doorbell."""
    fact = PackageDrafted(
        package=package,
        round=1,
        ordinal=1,
        revision="a" * 64,
        bundle=NO_BUNDLE.model_copy(),
        gate_set=(),
        gate_set_digest="c" * 64,
    )
    return event(fact, key, run=run)


def candidate(key: str, package: str = "p", *, run: str = RUN) -> NewEvent:
    """An event that rings the Judge's doorbell, for work of which a run has one claim at a time."""
    fact = PackageCandidate(package=package, run=run, round=1, ordinal=1, ok=True)
    return event(fact, key, run=run)


def append(*events: NewEvent, expected: int | None = None) -> Append:
    return Append(stream=events[0].fact.stream, events=events, expected=expected)


def commit(*events: NewEvent, expected: int | None = None) -> Commit:
    """One append to the stream of the events."""
    return Commit(appends=(append(*events, expected=expected),))


def work_of(cause: Envelope, *, group: str = f"{GROUP}.tester", scope: str | None = None) -> Work:
    return Work(
        work=work_id(group, cause.id),
        group=group,
        cause=cause.id,
        stream=cause.stream,
        position=cause.position,
        run_id=cause.run_id,
        correlation_id=cause.correlation_id,
        scope=scope,
    )


def recorded(log: Log, new: NewEvent) -> Envelope:
    """Commit one event and return it as it was recorded."""
    log.commit(commit(new))
    envelope = log.get(new.id)
    assert envelope is not None
    return envelope


def fence(claim: Claim) -> Fence:
    return Fence(work=claim.work.work, token=claim.token)


def inbox(claim: Claim, basis: dict[str, int] | None = None) -> InboxEntry:
    work = claim.work
    return InboxEntry(group=work.group, event_id=work.cause, work=work.work, basis=basis or {})


def finishing(claim: Claim, *events: NewEvent, expected: int | None = None) -> Commit:
    """What a handler commits at its end: its outputs, the inbox row and the fence."""
    appends = (append(*events, expected=expected),) if events else ()
    return Commit(appends=appends, inbox=inbox(claim), fence=fence(claim))


def call(effect_class: EffectClass = "pure", *, node: str = "act", **request: object) -> EffectCall:
    return EffectCall(kind="gate", effect_class=effect_class, node=node, request=request)
