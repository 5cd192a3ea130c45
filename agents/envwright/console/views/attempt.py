"""An attempt as JSON: what was asked, each turn, and the verdict."""

from typing import Any

from envwright.agents import Runtime
from envwright.agents.solver.policies import is_privileged
from envwright.events.canonical import Json
from envwright.events.catalog import (
    AttemptFinished,
    AttemptRequested,
    AttemptStarted,
    TurnTaken,
    VerdictReached,
)
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError


def attempt_view(runtime: Runtime, attempt: str) -> dict[str, Json]:
    """Return all that the log says about an attempt."""
    events = list(runtime.log.read(f"attempt/{attempt}"))
    package = _package(runtime, attempt, events)
    about = [e for e in runtime.log.read(f"package/{package}") if e.data.get("attempt") == attempt]
    asked = next(e.fact for e in about if isinstance(e.fact, AttemptRequested))
    verdict = next((e.fact.verdict for e in about if isinstance(e.fact, VerdictReached)), None)
    return {
        "attempt": attempt,
        "run": about[0].run_id,
        "package": asked.package,
        "revision": asked.revision,
        "trial": asked.trial,
        "index": asked.index,
        "policy": asked.policy.model_dump(mode="json"),
        "privileged": is_privileged(asked.policy.name),
        "seed": asked.seed,
        "gating": asked.gating,
        "max_turns": asked.max_turns,
        **_course(events),
        "verdict": verdict.model_dump(mode="json") if verdict else None,
    }


def _package(runtime: Runtime, attempt: str, events: list[Envelope]) -> str:
    for envelope in events:
        if isinstance(envelope.fact, AttemptStarted):
            return envelope.fact.package
    for envelope in runtime.log.read_all(types=("attempt.requested",)):
        if envelope.data["attempt"] == attempt:
            return str(envelope.data["package"])
    raise BadInputError(f"attempt {attempt!r} was never asked for in {runtime.config.place}")


def _course(events: list[Envelope]) -> dict[str, Json]:
    course: dict[str, Any] = {"status": "requested", "task_digest": None, "turns": []}
    for envelope in events:
        match envelope.fact:
            case AttemptStarted() as fact:
                course.update(status="started", task_digest=fact.task_digest)
            case TurnTaken() as fact:
                course["turns"].append(fact.turn.model_dump(mode="json"))
            case AttemptFinished() as fact:
                course.update(
                    status="finished",
                    outcome=fact.outcome,
                    answer=fact.answer,
                    state_digest=fact.state_digest,
                )
    return course
