"""Reports: what a run has done so far, folded from its events; the shape of `synth --json`."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from envwright.agents.runtime import Runtime
from envwright.agents.slots import RunState
from envwright.events.canonical import Json
from envwright.events.catalog import (
    AttemptFinished,
    DeliveryParked,
    EffectCompleted,
    GateEvaluated,
    PackageDrafted,
    PackageRejected,
    PackageRevised,
    RepairRequested,
    SourceIngested,
    TrialClosed,
    TrialOpened,
    WorkClaimed,
)
from envwright.events.envelope import Envelope
from envwright.recipes import get_recipe
from envwright.sandbox.packages import Bundle


@dataclass
class RunTally:
    """Counts of a run, folded event by event; a read model that nothing decides from."""

    position: int = 0
    first_at: str = ""
    last_at: str = ""
    ended: bool = False
    """Whether the run is over; later trials of its packages take no time of it."""
    events: Counter[str] = field(default_factory=Counter)
    sources: dict[str, SourceIngested] = field(default_factory=dict)
    made: dict[str, PackageDrafted | PackageRevised] = field(default_factory=dict)
    gates: dict[str, Counter[str]] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)
    trials: dict[str, TrialOpened] = field(default_factory=dict)
    passes: dict[str, Counter[str]] = field(default_factory=dict)
    attempts: int = 0
    claims: Counter[str] = field(default_factory=Counter)
    effects: int = 0
    reexecuted: int = 0
    parked: list[DeliveryParked] = field(default_factory=list)

    def apply(self, envelope: Envelope) -> None:
        """Fold one event."""
        self.position = envelope.position
        self.first_at = self.first_at or envelope.recorded_at
        if not self.ended:
            self.last_at = envelope.recorded_at
            self.ended = envelope.type in ("run.completed", "run.failed")
        self.events[envelope.type] += 1
        fact = envelope.fact
        match fact:
            case SourceIngested():
                self.sources[fact.source] = fact
            case PackageDrafted() | PackageRevised():
                self.made[fact.package] = fact
            case GateEvaluated():
                verdicts = self.gates.setdefault(fact.result.gate, Counter())
                verdicts[fact.result.verdict] += 1
            case RepairRequested():
                self.repairs[fact.reason] += 1
            case _:
                self._apply_work(envelope, fact)

    def _apply_work(self, envelope: Envelope, fact: object) -> None:
        match fact:
            case TrialOpened():
                self.trials[fact.trial] = fact
            case TrialClosed() if self.trials[fact.trial].gating:
                self.passes.setdefault(fact.policy, Counter()).update(n=fact.n, c=fact.c)
            case AttemptFinished():
                self.attempts += fact.gating
                self.reexecuted += int(envelope.metrics.get("effects_reexecuted", 0))
            case WorkClaimed():
                self.claims[fact.reason] += 1
            case EffectCompleted():
                self.effects += 1
            case DeliveryParked():
                self.parked.append(fact)
            case _:
                self.reexecuted += self._reexecutions(envelope)

    @staticmethod
    def _reexecutions(envelope: Envelope) -> int:
        """Count once per handler: on the one event that ends its commit."""
        last = envelope.type in ("testing.completed", "review.completed", "package.drafted")
        return int(envelope.metrics.get("effects_reexecuted", 0)) if last else 0

    def seconds(self) -> float:
        """Return the time from the first event to the end or the last one, by the store's clock."""
        if not self.first_at:
            return 0.0
        first, last = (
            datetime.fromisoformat(text.replace("Z", "+00:00"))
            for text in (self.first_at, self.last_at)
        )
        return round((last - first).total_seconds(), 3)


def tally(events: Iterable[Envelope]) -> RunTally:
    """Fold a run's events."""
    counts = RunTally()
    for envelope in events:
        counts.apply(envelope)
    return counts


def run_report(runtime: Runtime, run_id: str) -> dict[str, Json]:
    """Return the report of a run as JSON; `digest` is the revision digest."""
    state = runtime.run_state(run_id)
    counts = tally(runtime.log.read_all(run_id=run_id))
    assert state.requested is not None
    settings = state.requested.settings
    return {
        "run": run_id,
        "recipe": settings.recipe,
        "seed": settings.seed,
        "status": state.status,
        "requested": settings.count,
        "planned": len(state.briefs),
        "admitted": len(state.admitted),
        "rejected": rejections(state),
        "packages": [
            _package(runtime, counts, fact.package, settings.recipe) for fact in state.admitted
        ],
        "attempts": counts.attempts,
        "pass": {
            policy: {"n": tallied["n"], "c": tallied["c"], "rate": _rate(tallied)}
            for policy, tallied in sorted(counts.passes.items())
        },
        "gates": {
            gate: dict(sorted(found.items())) for gate, found in sorted(counts.gates.items())
        },
        "repairs": dict(sorted(counts.repairs.items())),
        "sources": [
            {
                "name": source.name,
                "format": source.format,
                "records": source.records,
                "calls": source.calls,
                "skipped": source.skipped,
            }
            for _, source in sorted(counts.sources.items())
        ],
        "restarts": {
            "takeovers": counts.claims["takeover"],
            "retries": counts.claims["retry"],
            "conflicts": counts.claims["conflict"],
            "effects": counts.effects,
            "effects_reexecuted": counts.reexecuted,
            "parked": len(counts.parked),
        },
        "events": sum(counts.events.values()),
        "seconds": counts.seconds(),
    }


def rejections(state: RunState) -> dict[str, int]:
    """Return how many slots were rejected, by reason."""
    reasons = Counter(
        outcome.reason
        for outcome in state.outcomes.values()
        if isinstance(outcome, PackageRejected)
    )
    return dict(sorted(reasons.items()))


def _rate(tallied: Counter[str]) -> float | None:
    return round(tallied["c"] / tallied["n"], 4) if tallied["n"] else None


def _package(runtime: Runtime, counts: RunTally, package: str, recipe: str) -> dict[str, Json]:
    made = counts.made[package]
    bundle = Bundle.load(runtime.artifacts, made.bundle)
    return {
        "id": package,
        "revision": made.repair_round,
        "digest": made.revision,
        **get_recipe(recipe).describe(bundle),
    }
