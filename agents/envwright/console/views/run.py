"""A run as JSON: its report, and what only the page of one run tells."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

from envwright.agents import RunState, Runtime, run_report
from envwright.agents.ancestry import inherited_events, source_events
from envwright.console.views.dead import parked_view
from envwright.events.canonical import Json
from envwright.events.catalog import (
    PackageAdmitted,
    PackageRejected,
    RoundOpened,
    RoundSettled,
    RunCompleted,
    RunFailed,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
    RunStarted,
    TrialClosed,
    TrialOpened,
)
from envwright.events.envelope import Envelope


def run_view(runtime: Runtime, run_id: str) -> dict[str, Json]:
    """Return the report of a run with its settings, slots, pass^k and timeline."""
    state = runtime.run_state(run_id)
    assert state.requested is not None
    trials = chain(
        runtime.log.read_all(run_id=run_id, types=("trial.opened", "trial.closed")),
        inherited_events(runtime, state),
    )
    return {
        **run_report(runtime, run_id),
        "settings": state.requested.settings.model_dump(mode="json"),
        "novel_against": list(state.requested.novel_against),
        "skips": list(_skips(source_events(runtime, run_id))),
        "slots": list(_slots(state)),
        "pass_hat": mean_pass_hat(trials),
        "dead": parked_view(runtime, run_id),
        "timeline": list(_timeline(runtime.log.read(f"run/{run_id}"))),
    }


def _skips(events: Iterable[Envelope]) -> Iterator[dict[str, Json]]:
    """Yield the parts of the sources that were skipped, as far as their places are recorded."""
    for envelope in events:
        yield from envelope.data["skips"]


def _slots(state: RunState) -> Iterator[dict[str, Json]]:
    for place, brief in sorted(state.briefs.items()):
        outcome = state.outcomes.get(place)
        yield {
            "round": place[0],
            "ordinal": place[1],
            "package": brief.package,
            "outcome": _OUTCOMES[type(outcome)],
            "reason": outcome.reason if isinstance(outcome, PackageRejected) else "",
            **_origin(state, place),
        }


def _origin(state: RunState, place: tuple[int, int]) -> dict[str, Json]:
    """Return which run made the package of a forked run's slot; null is this one."""
    if state.forked is None:
        return {}
    inherited = state.inherited.get(place)
    return {"inherited_from": inherited.origin_run if inherited else None}


_OUTCOMES = {PackageAdmitted: "admitted", PackageRejected: "rejected", type(None): "open"}


def mean_pass_hat(trials: Iterable[Envelope]) -> dict[str, dict[str, float]]:
    """Return pass^k by policy: the mean over the packages that admission tried."""
    gating: set[str] = set()
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for envelope in trials:
        fact = envelope.fact
        if isinstance(fact, TrialOpened) and fact.gating:
            gating.add(fact.trial)
        elif isinstance(fact, TrialClosed) and fact.trial in gating:
            for size, value in fact.pass_hat.items():
                found[fact.policy][size].append(value)
    return {
        policy: {
            size: round(sum(values) / len(values), 4)
            for size, values in sorted(sizes.items(), key=lambda item: int(item[0]))
        }
        for policy, sizes in sorted(found.items())
    }


def _timeline(events: Iterable[Envelope]) -> Iterator[dict[str, Json]]:
    began: datetime | None = None
    for envelope in events:
        what = _told(envelope)
        at = datetime.fromisoformat(envelope.recorded_at.replace("Z", "+00:00"))
        began = began or at
        if what:
            yield {
                "seconds": round((at - began).total_seconds(), 3),
                "position": envelope.position,
                "what": what,
            }


def _told(envelope: Envelope) -> str:
    """Say in words what a turning point of the run was; briefs and rejections are none."""
    match envelope.fact:
        case RunRequested() as fact:
            return f"requested: {fact.settings.count} packages by {fact.settings.recipe}"
        case RunForked() as fact:
            changes = ", ".join(f"{name} = {value}" for name, value in fact.set.items())
            return f"forked from {fact.origin} at position {fact.at}, {changes or 'nothing set'}"
        case RunStarted() as fact:
            return f"sources read and mined by {fact.recipe} {fact.recipe_version}"
        case RoundOpened() as fact:
            return f"round {fact.round} opened with {fact.slots} slots"
        case PackageAdmitted() as fact:
            return f"admitted {fact.number}: {fact.package}"
        case RoundSettled() as fact:
            return f"round {fact.round} settled: {fact.admitted} admitted, {fact.rejected} rejected"
        case fact:
            return _lifecycle(fact)


def _lifecycle(fact: object) -> str:
    match fact:
        case RunPaused():
            return f"paused ({fact.cause.replace('_', ' ')}) {fact.detail}".strip()
        case RunResumed():
            return "resumed"
        case RunCompleted():
            reason = fact.reason.replace("_", " ")
            return f"completed ({reason}): {fact.admitted} of {fact.requested} admitted"
        case RunFailed():
            return f"failed: {fact.reason}"
        case _:
            return ""
