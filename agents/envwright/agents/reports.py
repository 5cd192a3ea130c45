"""Reports: what a run has done so far, folded from its events; the shape of `synth --json`."""

import json
import textwrap
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain

from envwright.agents.ancestry import fork_part, inherited_events, source_events
from envwright.agents.runtime import Runtime
from envwright.agents.slots import RunState
from envwright.agents.stages import StageTimes
from envwright.events.canonical import Json
from envwright.events.catalog import (
    AttemptFinished,
    DeliveryParked,
    EffectCompleted,
    EffectRequested,
    GateEvaluated,
    PackageAdmitted,
    PackageDrafted,
    PackageRejected,
    PackageRevised,
    RepairRequested,
    RunStarted,
    SourceIngested,
    TrialClosed,
    TrialOpened,
    WorkClaimed,
)
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError
from envwright.recipes import get_recipe
from envwright.sandbox.packages import Bundle

_EXCERPT = 240
"""Characters of an instruction that a report shows."""


@dataclass
class RunTally:
    """Counts of a run, folded event by event; a read model that nothing decides from."""

    position: int = 0
    first_at: str = ""
    last_at: str = ""
    ended: bool = False
    """Whether the run is over; later trials of its packages take no time of it."""
    events: Counter[str] = field(default_factory=Counter)
    stages: StageTimes = field(default_factory=StageTimes)
    started: RunStarted | None = None
    sources: dict[str, SourceIngested] = field(default_factory=dict)
    made: dict[str, PackageDrafted | PackageRevised] = field(default_factory=dict)
    gates: dict[str, Counter[str]] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)
    trials: dict[str, TrialOpened] = field(default_factory=dict)
    passes: dict[str, Counter[str]] = field(default_factory=dict)
    attempts: int = 0
    claims: Counter[str] = field(default_factory=Counter)
    tokens: dict[str, int] = field(default_factory=dict)
    """The newest claim of each piece of work."""
    asked: dict[str, int] = field(default_factory=dict)
    """Effects without an outcome so far: key to the claim that asked for it."""
    effects: int = 0
    reexecuted: int = 0
    """Effects whose outcome comes from a later claim than the one that asked: they ran again."""
    parked: list[DeliveryParked] = field(default_factory=list)

    def apply(self, envelope: Envelope) -> None:
        """Fold one event."""
        self.position = envelope.position
        self.first_at = self.first_at or envelope.recorded_at
        if not self.ended:
            self.last_at = envelope.recorded_at
            self.ended = envelope.type in ("run.completed", "run.failed")
        self.events[envelope.type] += 1
        self.stages.apply(envelope)
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
            case RunStarted():
                self.started = fact
            case _:
                self._apply_trial(fact)

    def _apply_trial(self, fact: object) -> None:
        match fact:
            case TrialOpened():
                self.trials[fact.trial] = fact
            case TrialClosed() if self.trials[fact.trial].gating:
                self.passes.setdefault(fact.policy, Counter()).update(n=fact.n, c=fact.c)
            case AttemptFinished():
                self.attempts += fact.gating
            case _:
                self._apply_work(fact)

    def _apply_work(self, fact: object) -> None:
        match fact:
            case WorkClaimed():
                self.claims[fact.reason] += 1
                self.tokens[fact.work] = fact.token
            case EffectRequested():
                self.asked[fact.key] = fact.token
            case EffectCompleted():
                self.effects += 1
                self.reexecuted += self.asked.pop(fact.key) != self.tokens[fact.work]
            case DeliveryParked():
                self.parked.append(fact)
            case _:
                pass

    def take_over(self, envelope: Envelope) -> None:
        """Fold what counts of an inherited package: what was made, and its trials."""
        fact = envelope.fact
        if isinstance(fact, PackageDrafted | PackageRevised):
            self.made[fact.package] = fact
        elif isinstance(fact, TrialOpened | TrialClosed):
            self._apply_trial(fact)
        elif isinstance(fact, SourceIngested):
            self.sources.setdefault(fact.source, fact)

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
    """Return the report of a run as JSON; `digest` is the revision digest.

    Of a forked run, `pass` and `packages` are about inherited packages too; attempts, gates,
    repairs and stages are the work of this run alone.
    """
    state = runtime.run_state(run_id)
    counts = tally(runtime.log.read_all(run_id=run_id))
    assert state.requested is not None
    settings = state.requested.settings
    fork = fork_part(runtime, state)
    if fork is not None:
        for envelope in chain(source_events(runtime, run_id), inherited_events(runtime, state)):
            counts.take_over(envelope)
    return {
        # The recipe's part comes first: it can add to the report, never contradict it.
        **_recipe_part(runtime, counts, settings.recipe),
        "run": run_id,
        "recipe": settings.recipe,
        "seed": settings.seed,
        "status": state.status,
        "requested": settings.count,
        "planned": len(state.briefs),
        "admitted": len(state.admitted),
        "rejected": rejections(state),
        **({} if fork is None else {"fork": fork}),
        "packages": [
            _package(runtime, counts, fact.package, settings.recipe) | _origin(state, fact)
            for fact in state.admitted
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
        "exports": _exports(counts),
        "sources": _sources(counts),
        "restarts": _restarts(counts),
        "stages": counts.stages.report(),
        "events": sum(counts.events.values()),
        "seconds": counts.seconds(),
    }


def _sources(counts: RunTally) -> list[dict[str, Json]]:
    return [
        {
            "name": source.name,
            "format": source.format,
            "records": source.records,
            "calls": source.calls,
            "skipped": source.skipped,
        }
        for _, source in sorted(counts.sources.items())
    ]


def _restarts(counts: RunTally) -> dict[str, Json]:
    return {
        "takeovers": counts.claims["takeover"],
        "retries": counts.claims["retry"],
        "conflicts": counts.claims["conflict"],
        "effects": counts.effects,
        "effects_reexecuted": counts.reexecuted,
        "parked": len(counts.parked),
    }


def _origin(state: RunState, admitted: PackageAdmitted) -> dict[str, Json]:
    """Return where a package of a forked run comes from: another run, or (null) this one."""
    if state.forked is None:
        return {}
    inherited = state.inherited.get((admitted.round, admitted.ordinal))
    return {"inherited_from": inherited.origin_run if inherited else None}


def _exports(counts: RunTally) -> dict[str, Json]:
    """Return the files that the run offers besides its packages, as artifacts by name."""
    if counts.started is None:
        return {}
    return {name: ref.model_dump(mode="json") for name, ref in counts.started.exports.items()}


def _recipe_part(runtime: Runtime, counts: RunTally, recipe: str) -> dict[str, Json]:
    """Return what the recipe tells of the profile; of an older version, why it cannot."""
    if counts.started is None:
        return {}
    try:
        profile = json.loads(runtime.artifacts.get(counts.started.profile.digest))
        return get_recipe(recipe).report(profile)
    except BadInputError as error:
        return {"recipe_report_missing": str(error)}


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
        "instruction": textwrap.shorten(bundle.instruction, _EXCERPT, placeholder=" …"),
        **get_recipe(recipe).describe(bundle),
    }
