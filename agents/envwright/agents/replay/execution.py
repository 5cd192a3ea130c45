"""Execution replay: every recorded gate and attempt of a run is run again on its own revision."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from envwright.agents.runtime import Runtime
from envwright.events import digest_bytes, encode
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
from envwright.events.errors import ArtifactError, IntegrityError
from envwright.events.values import ArtifactRef, GateSpec, ToolCall
from envwright.sandbox.attempts import replay_calls
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


@dataclass(frozen=True)
class Divergence:
    """Where a replay first differs from the record."""

    event: str
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

    Gates are compared by verdict, reason and evidence; attempts by each turn's observations and
    state digest. Stops at the first divergence.
    """
    compared = 0
    for divergence in _compare(runtime, run_id):
        if divergence is not None:
            return Replayed(compared, divergence)
        compared += 1
        progress(compared)
    return Replayed(compared)


def _compare(runtime: Runtime, run_id: str) -> Iterator[Divergence | None]:
    """Yield None for each comparison that holds, and a divergence for one that does not."""
    made: dict[str, PackageDrafted | PackageRevised] = {}
    for envelope in runtime.log.read_all(run_id=run_id, types=_TYPES):
        fact = envelope.fact
        try:
            if isinstance(fact, PackageDrafted | PackageRevised):
                made[fact.revision] = fact
            elif isinstance(fact, GateEvaluated):
                yield _gate(runtime, envelope, fact, made[fact.revision])
            elif isinstance(fact, AttemptFinished):
                yield from _attempt(runtime, fact)
        except (ArtifactError, IntegrityError) as error:
            yield Divergence(envelope.id, "stored bytes that match their digests", str(error))


def _bundle(runtime: Runtime, ref: ArtifactRef, revision: str) -> Bundle:
    bundle = Bundle.load(runtime.artifacts, ref)
    if bundle.revision != revision:
        raise IntegrityError(f"bundle {ref.digest} holds revision {bundle.revision}")
    return bundle


def _gate(
    runtime: Runtime,
    envelope: Envelope,
    fact: GateEvaluated,
    made: PackageDrafted | PackageRevised,
) -> Divergence | None:
    spec: GateSpec = next(gate for gate in made.gate_set if gate.gate == fact.result.gate)
    recorded = fact.result
    if recorded.evidence is not None:
        runtime.artifacts.get(recorded.evidence.digest)
    outcome = run_gate(spec, _bundle(runtime, made.bundle, fact.revision))
    evidence = digest_bytes(encode(outcome.evidence))
    expected = {
        "verdict": recorded.verdict,
        "reason": recorded.reason,
        "evidence": recorded.evidence.digest if recorded.evidence else None,
    }
    actual = {
        "verdict": outcome.result.verdict,
        "reason": outcome.result.reason,
        "evidence": evidence if recorded.evidence else None,
    }
    return None if expected == actual else Divergence(envelope.id, expected, actual)


def _attempt(runtime: Runtime, finished: AttemptFinished) -> Iterator[Divergence | None]:
    bundle = _bundle(runtime, finished.bundle, finished.revision)
    events = list(runtime.log.read(f"attempt/{finished.attempt}"))
    turns = [(e, e.fact.turn) for e in events if isinstance(e.fact, TurnTaken)]
    calls: list[ToolCall] = [call for _, turn in turns for call in turn.calls]
    replayed = replay_calls(bundle, finished.seed, calls)
    for envelope in events:
        if isinstance(envelope.fact, AttemptStarted):
            yield _same(envelope, envelope.fact.state_digest, replayed.start)
    place = 0
    state = replayed.start
    for envelope, turn in turns:
        steps = replayed.steps[place : place + len(turn.calls)]
        place += len(turn.calls)
        state = steps[-1].digest if steps else state
        yield _same(
            envelope,
            {"observations": _plain(list(turn.observations)), "state": turn.state_digest},
            {"observations": _plain([step.observation for step in steps]), "state": state},
        )
    yield _same(events[-1], finished.state_digest, replayed.end)


def _plain(observations: list[Json]) -> Json:
    return json.loads(encode([item.model_dump(mode="json") for item in observations]))


def _same(envelope: Envelope, expected: Json, actual: Json) -> Divergence | None:
    if encode(expected) == encode(actual):
        return None
    return Divergence(envelope.id, expected, actual)
