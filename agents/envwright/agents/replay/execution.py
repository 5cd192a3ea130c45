"""Execution replay: every recorded gate and attempt of a run is run again on its own revision."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from envwright.agents.replay.turns import rerun_turns, same, side_by_side
from envwright.agents.runtime import Runtime
from envwright.events import digest, digest_bytes, encode
from envwright.events.canonical import Json
from envwright.events.catalog import (
    AttemptFinished,
    AttemptStarted,
    GateEvaluated,
    PackageDrafted,
    PackageRevised,
    TurnTaken,
)
from envwright.events.envelope import Envelope
from envwright.events.errors import ArtifactError, InfrastructureError, IntegrityError
from envwright.events.values import ArtifactRef, GateSpec
from envwright.sandbox.attempts import task_view
from envwright.sandbox.gates import run_gate
from envwright.sandbox.packages import Bundle

_TYPES = (
    "package.drafted",
    "package.revised",
    "gate.evaluated",
    "attempt.started",
    "turn.taken",
    "attempt.finished",
)

_SOUND = "stored bytes that match their digests"

_Made = dict[str, PackageDrafted | PackageRevised]
"""What was made so far, by revision."""


@dataclass(frozen=True)
class Divergence:
    """Where a replay first differs from the record."""

    event: str
    """Id of the event; empty where its header cannot be read, and `actual` says its position."""
    expected: Json
    actual: Json


@dataclass(frozen=True)
class Replayed:
    """How much was compared, and the first divergence."""

    compared: int
    diverged: Divergence | None = None


def replay_execution(
    runtime: Runtime, run_id: str, progress: Callable[[int], None] = lambda compared: None
) -> Replayed:
    """Run every recorded gate and attempt of a run again and compare what is observed.

    Gates are compared by verdict, reason and evidence; attempts by the task that they were given
    and by each turn's observations and state digest. Stops at the first divergence.

    Raises:
        InfrastructureError: the machine failed, which says nothing about the record.
    """
    compared = 0
    try:
        for divergence in _compare(runtime, run_id):
            if divergence is not None:
                return Replayed(compared, divergence)
            compared += 1
            progress(compared)
    except IntegrityError as error:
        return Replayed(compared, Divergence("", _SOUND, str(error)))
    return Replayed(compared)


def _compare(runtime: Runtime, run_id: str) -> Iterator[Divergence | None]:
    """Yield None for each comparison that holds, and a divergence for one that does not."""
    made: _Made = {}
    for envelope in runtime.log.read_all(run_id=run_id, types=_TYPES):
        try:
            yield from _compare_one(runtime, envelope, made)
        except (ArtifactError, IntegrityError) as error:
            yield Divergence(envelope.id, _SOUND, str(error))


def _compare_one(runtime: Runtime, envelope: Envelope, made: _Made) -> Iterator[Divergence | None]:
    if digest_bytes(envelope.payload) != envelope.payload_hash:
        raise IntegrityError(f"the payload of {envelope.type} does not match its hash")
    fact = envelope.fact
    if isinstance(fact, PackageDrafted | PackageRevised):
        made[fact.revision] = fact
    elif isinstance(fact, GateEvaluated):
        yield _gate(runtime, envelope, fact, made)
    elif isinstance(fact, AttemptFinished):
        yield from _attempt(runtime, envelope, fact)


def _bundle(runtime: Runtime, ref: ArtifactRef, revision: str) -> Bundle:
    bundle = Bundle.load(runtime.artifacts, ref)
    if bundle.revision != revision:
        raise IntegrityError(f"bundle {ref.digest} holds revision {bundle.revision}")
    return bundle


def _gate(
    runtime: Runtime, envelope: Envelope, fact: GateEvaluated, made: _Made
) -> Divergence | None:
    recorded = fact.result
    spec, bundle = _examined(runtime, fact, made)
    if recorded.evidence is not None:
        runtime.artifacts.get(recorded.evidence.digest)
    outcome = run_gate(spec, bundle)
    if outcome.result.verdict == "error":
        raise InfrastructureError(f"gate {recorded.gate!r} cannot run: {outcome.result.detail}")
    expected = {
        "verdict": recorded.verdict,
        "reason": recorded.reason,
        "evidence": recorded.evidence.digest if recorded.evidence else None,
    }
    actual = {
        "verdict": outcome.result.verdict,
        "reason": outcome.result.reason,
        "evidence": digest_bytes(encode(outcome.evidence)) if recorded.evidence else None,
    }
    return _difference(envelope, expected, actual)


def _examined(runtime: Runtime, fact: GateEvaluated, made: _Made) -> tuple[GateSpec, Bundle]:
    """Return the spec of a recorded gate, and the bundle that it was run on."""
    source = made.get(fact.revision)
    specs = [gate for gate in source.gate_set if gate.gate == fact.result.gate] if source else []
    if source is None or not specs:
        raise IntegrityError(
            f"gate {fact.result.gate!r} ran on revision {fact.revision}, which no earlier event of "
            "the run made with this gate"
        )
    return specs[0], _bundle(runtime, source.bundle, fact.revision)


def _attempt(
    runtime: Runtime, envelope: Envelope, finished: AttemptFinished
) -> Iterator[Divergence | None]:
    bundle = _bundle(runtime, finished.bundle, finished.revision)
    events = list(runtime.log.read(envelope.stream, up_to=envelope.sequence))
    taken = [(event, event.fact.turn) for event in events if isinstance(event.fact, TurnTaken)]
    turns = [turn for _, turn in taken]
    rerun = rerun_turns(bundle, finished.seed, turns)
    for event in events:
        if isinstance(event.fact, AttemptStarted):
            task = digest(task_view(bundle).model_dump(mode="json"))
            yield _difference(
                event,
                {"task": event.fact.task_digest, "state": event.fact.state_digest},
                {"task": task, "state": rerun.start},
            )
    for (event, _), (recorded, again) in zip(taken, side_by_side(turns, rerun), strict=True):
        yield _difference(event, recorded, again)
    yield _difference(
        envelope,
        {"turns": finished.turns, "state": finished.state_digest},
        {"turns": len(turns), "state": rerun.end},
    )


def _difference(envelope: Envelope, expected: Json, actual: Json) -> Divergence | None:
    return None if same(expected, actual) else Divergence(envelope.id, expected, actual)
