"""A package as JSON: content of its last revision, gates, trials, revisions and lineage."""

from collections.abc import Iterator
from typing import Any

from envwright.agents import RunState, Runtime
from envwright.agents.solver.policies import is_privileged
from envwright.events.canonical import Json
from envwright.events.catalog import (
    GateEvaluated,
    PackageAbandoned,
    PackageAdmitted,
    PackageDrafted,
    PackageRejected,
    PackageRevised,
    RepairRequested,
    ReviewCompleted,
    TrialClosed,
    TrialOpened,
    VerdictReached,
)
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError
from envwright.events.values import Brief
from envwright.recipes import get_recipe
from envwright.sandbox.packages import Bundle

Made = PackageDrafted | PackageRevised


def package_view(runtime: Runtime, package: str) -> dict[str, Json]:
    """Return all that the log and the artifacts say about a package."""
    events = list(runtime.log.read(f"package/{package}"))
    run_id = events[0].run_id if events else _planning_run(runtime, package)
    state = runtime.run_state(run_id)
    brief = next(brief for brief in state.briefs.values() if brief.package == package)
    made = [event.fact for event in events if isinstance(event.fact, Made)]
    return {
        "package": package,
        "run": run_id,
        "recipe": brief.recipe,
        "round": brief.round,
        "ordinal": brief.ordinal,
        **_standing(state, brief, events),
        "revision": made[-1].repair_round if made else None,
        "digest": made[-1].revision if made else None,
        **(_content(runtime, brief.recipe, made[-1]) if made else {}),
        "revisions": list(_revisions(events)),
        "gates": list(_gates(events)),
        "reviews": list(_reviews(events)),
        "trials": trials_of(events),
        "lineage": _lineage(runtime, state, brief, events),
    }


def last_made(runtime: Runtime, package: str) -> Made:
    """Return the fact that made a package's last revision.

    Raises:
        BadInputError: nothing was ever built for it.
    """
    made = [e.fact for e in runtime.log.read(f"package/{package}") if isinstance(e.fact, Made)]
    if not made:
        raise BadInputError(f"package {package!r} has no revision: none was built for its brief")
    return made[-1]


def _planning_run(runtime: Runtime, package: str) -> str:
    for envelope in runtime.log.read_all(types=("brief.planned",)):
        if envelope.data["brief"]["package"] == package:
            return envelope.run_id
    raise BadInputError(f"package {package!r} has no brief in {runtime.config.place}")


def _standing(state: RunState, brief: Brief, events: list[Envelope]) -> dict[str, Json]:
    outcome = state.outcomes.get((brief.round, brief.ordinal))
    if isinstance(outcome, PackageAdmitted):
        return {"status": "admitted", "number": outcome.number}
    if isinstance(outcome, PackageRejected):
        return {"status": "rejected", "reason": outcome.reason}
    abandoned = [e.fact.reason for e in events if isinstance(e.fact, PackageAbandoned)]
    if abandoned:
        return {"status": "abandoned", "reason": abandoned[0]}
    return {"status": events[-1].type if events else "brief.planned"}


def _content(runtime: Runtime, recipe: str, made: Made) -> dict[str, Json]:
    bundle = Bundle.load(runtime.artifacts, made.bundle)
    return {**get_recipe(recipe).describe(bundle), **bundle_view(bundle)}


def bundle_view(bundle: Bundle) -> dict[str, Json]:
    """Return the content of a revision, with what is hidden from solvers."""
    assertions = bundle.assertions
    return {
        "world": bundle.package.world,
        "instruction": bundle.instruction,
        "tools": [tool.model_dump(mode="json") for tool in bundle.package.tools],
        "boundary": list(bundle.package.boundary),
        "facts": [fact.model_dump(mode="json") for fact in bundle.blueprint.facts],
        "criteria": [item.model_dump(mode="json") for item in bundle.blueprint.criteria],
        "solution": bundle.solution.model_dump(mode="json"),
        "assertions": assertions.model_dump(mode="json"),
        "files": [entry.model_dump(mode="json") for entry in bundle.manifest()],
    }


def _revisions(events: list[Envelope]) -> Iterator[dict[str, Json]]:
    reasons = {e.fact.repair_round: e.fact for e in events if isinstance(e.fact, RepairRequested)}
    for envelope in events:
        fact = envelope.fact
        if isinstance(fact, Made):
            asked = reasons.get(fact.repair_round)
            yield {
                "revision": fact.repair_round,
                "digest": fact.revision,
                "bundle": fact.bundle.digest,
                "artifact": asked.artifact if asked else None,
                "reason": asked.reason if asked else None,
                "gate_set_digest": fact.gate_set_digest,
                "position": envelope.position,
            }


def _gates(events: list[Envelope]) -> Iterator[dict[str, Json]]:
    number: dict[str, int] = {}
    for envelope in events:
        fact = envelope.fact
        if isinstance(fact, Made):
            number[fact.revision] = fact.repair_round
        elif isinstance(fact, GateEvaluated):
            result = fact.result
            yield {
                "revision": number[fact.revision],
                **result.model_dump(mode="json", exclude={"evidence"}),
                "evidence": result.evidence.digest if result.evidence else None,
                "event": envelope.id,
            }


def _reviews(events: list[Envelope]) -> Iterator[dict[str, Json]]:
    for envelope in events:
        fact = envelope.fact
        if isinstance(fact, ReviewCompleted):
            yield {
                "digest": fact.revision,
                "outcome": fact.outcome,
                "reasons": list(fact.reasons),
            }


def trials_of(events: list[Envelope]) -> list[dict[str, Json]]:
    """Return the trials on a package's stream, each with its attempts."""
    trials: dict[str, dict[str, Any]] = {}
    for envelope in events:
        match envelope.fact:
            case TrialOpened() as fact:
                trials[fact.trial] = {
                    "trial": fact.trial,
                    "policy": fact.policy.name,
                    "privileged": is_privileged(fact.policy.name),
                    "gating": fact.gating,
                    "k": fact.k,
                    "n": None,
                    "c": None,
                    "pass_hat": {},
                    "attempts": [],
                }
            case VerdictReached() as fact:
                trials[fact.trial]["attempts"].append(
                    {
                        "attempt": fact.attempt,
                        "index": fact.index,
                        "outcome": fact.verdict.outcome,
                        "reward": fact.verdict.reward,
                    }
                )
            case TrialClosed() as fact:
                trials[fact.trial].update(n=fact.n, c=fact.c, pass_hat=fact.pass_hat)
    for trial in trials.values():
        trial["attempts"].sort(key=lambda attempt: attempt["index"])
    return list(trials.values())


def _lineage(
    runtime: Runtime, state: RunState, brief: Brief, events: list[Envelope]
) -> dict[str, Json]:
    assert state.requested is not None
    planned = [
        envelope.position
        for envelope in runtime.log.read(f"run/{state.requested.run}")
        if envelope.type == "brief.planned" and envelope.correlation_id == brief.package
    ]
    return {
        "sources": [
            {"name": source.name, "digest": source.artifact.digest}
            for source in state.requested.sources
        ],
        "run": state.requested.run,
        "seed": state.requested.settings.seed,
        "content_seed": brief.content_seed,
        "plan": brief.plan,
        "brief_position": planned[0] if planned else None,
        "inherited_by": [
            envelope.run_id
            for envelope in runtime.log.read_all(types=("package.inherited",))
            if envelope.correlation_id == brief.package
        ],
        "first_position": events[0].position if events else None,
        "last_position": events[-1].position if events else None,
        "events": len(events),
    }
