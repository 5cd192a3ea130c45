"""Execution replay: every recorded gate and attempt of a run is run again on its own revision."""

from collections.abc import Iterator
from typing import Any

from envwright.agents.replay.findings import Comparison, Divergence
from envwright.agents.replay.level import ReplayPlan
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


class ExecutionLevel:
    """Runs recorded gates and attempts again.

    Gates are compared by verdict, reason and evidence; attempts by the task that they were given
    and by each turn's observations and state digest.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def plan(self, run_id: str | None) -> ReplayPlan:
        """Return the gates and attempts in the order of the log, and damage where it is met."""
        tasks: list[Json] = []
        try:
            for task in self._tasks(run_id):
                tasks.append(task)
        except IntegrityError as error:  # What follows cannot be told any more.
            found = Divergence(event="", expected=_SOUND, actual=str(error))
            tasks.append({"found": found.model_dump(mode="json")})
        return ReplayPlan(tasks=tuple(tasks))

    def check(self, task: Any, *, keep_going: bool) -> Comparison:
        """Run a gate or an attempt again."""
        if "found" in task:
            return Comparison(divergences=(Divergence.model_validate(task["found"]),))
        [kind] = task.keys() & {"gate", "attempt"}
        compared, found = 0, list[Divergence]()
        try:
            envelope = self._event(task[kind])
            results = self._gate(envelope, task) if kind == "gate" else self._attempt(envelope)
            for divergence in results:
                if divergence is None:
                    compared += 1
                    continue
                found.append(divergence)
                if not keep_going:
                    break
        except (ArtifactError, IntegrityError) as error:
            found.append(Divergence(event=task[kind], expected=_SOUND, actual=str(error)))
        counts = {} if found else {f"{kind}s": 1}
        return Comparison(compared=compared, counts=counts, divergences=tuple(found))

    def _tasks(self, run_id: str | None) -> Iterator[Json]:
        made: dict[str, str] = {}
        for envelope in self._runtime.log.read_all(run_id=run_id, types=_TYPES):
            if digest_bytes(envelope.payload) != envelope.payload_hash:
                actual = f"the payload of {envelope.type} does not match its hash"
                found = Divergence(event=envelope.id, expected=_SOUND, actual=actual)
                yield {"found": found.model_dump(mode="json")}
            elif envelope.type in ("package.drafted", "package.revised"):
                made[str(envelope.data.get("revision"))] = envelope.id
            elif envelope.type == "gate.evaluated":
                yield {"gate": envelope.id, "made": made.get(str(envelope.data.get("revision")))}
            elif envelope.type == "attempt.finished":
                yield {"attempt": envelope.id}

    def _event(self, event: str) -> Envelope:
        envelope = self._runtime.log.get(event)
        if envelope is None:
            raise IntegrityError(f"event {event} was there a moment ago and is gone")
        return envelope

    def _gate(self, envelope: Envelope, task: Any) -> Iterator[Divergence | None]:
        fact = envelope.fact
        assert isinstance(fact, GateEvaluated)
        recorded = fact.result
        spec, bundle = self._examined(fact, task["made"])
        if recorded.evidence is not None:
            self._runtime.artifacts.get(recorded.evidence.digest)
        outcome = run_gate(spec, bundle)
        if outcome.result.verdict == "error":
            detail = outcome.result.detail
            raise InfrastructureError(f"gate {recorded.gate!r} cannot run: {detail}")
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
        yield _difference(envelope, expected, actual)

    def _examined(self, fact: GateEvaluated, made: str | None) -> tuple[GateSpec, Bundle]:
        """Return the spec of a recorded gate, and the bundle that it was run on."""
        source = self._event(made).fact if made else None
        if isinstance(source, PackageDrafted | PackageRevised):
            for spec in source.gate_set:
                if spec.gate == fact.result.gate:
                    return spec, self._bundle(source.bundle, fact.revision)
        raise IntegrityError(
            f"gate {fact.result.gate!r} ran on revision {fact.revision}, which no earlier event of "
            "the run made with this gate"
        )

    def _attempt(self, envelope: Envelope) -> Iterator[Divergence | None]:
        finished = envelope.fact
        assert isinstance(finished, AttemptFinished)
        bundle = self._bundle(finished.bundle, finished.revision)
        events = list(self._runtime.log.read(envelope.stream, up_to=envelope.sequence))
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

    def _bundle(self, ref: ArtifactRef, revision: str) -> Bundle:
        bundle = Bundle.load(self._runtime.artifacts, ref)
        if bundle.revision != revision:
            raise IntegrityError(f"bundle {ref.digest} holds revision {bundle.revision}")
        return bundle


def _difference(envelope: Envelope, expected: Json, actual: Json) -> Divergence | None:
    if same(expected, actual):
        return None
    return Divergence(event=envelope.id, expected=expected, actual=actual)
