"""What the Judge does at each step: open trials, score, close, hand over to admission."""

from dataclasses import dataclass

from envwright.agents.context import Context
from envwright.agents.judge.admission import admit
from envwright.agents.judge.passes import pass_hat
from envwright.agents.judge.scoring import score
from envwright.agents.tracing import record_verdict
from envwright.events import derive_id, digest
from envwright.events.catalog import (
    AttemptFinished,
    AttemptRequested,
    Fact,
    PackageAbandoned,
    PackageCandidate,
    PackageDrafted,
    PackageRevised,
    ReviewCompleted,
    TrialClosed,
    TrialOpened,
    TurnTaken,
    VerdictReached,
)
from envwright.events.values import ArtifactRef, PolicySpec
from envwright.recipes import get_recipe
from envwright.sandbox.packages import Bundle


@dataclass(frozen=True)
class TrialPlan:
    """A trial that is about to be opened."""

    package: str
    revision: str
    bundle: ArtifactRef
    policy: PolicySpec
    index: int
    of: int
    k: int
    seed: int
    max_turns: int
    gating: bool = True
    nonce: int = 0
    """Tells later trials of one policy on one revision apart."""


def trial_facts(plan: TrialPlan) -> list[Fact]:
    """Return the facts that open a trial: itself and its k attempts, with derived ids and seeds."""
    trial = derive_id(
        "trial",
        *(plan.package, plan.revision, plan.policy.model_dump(mode="json")),
        *(plan.index, plan.gating, plan.nonce),
    )
    content = [plan.revision, plan.policy.model_dump(mode="json"), plan.seed, plan.nonce]
    seeds = tuple(int(digest([*content, index])[:12], 16) for index in range(plan.k))
    opened = TrialOpened(
        package=plan.package,
        revision=plan.revision,
        trial=trial,
        index=plan.index,
        of=plan.of,
        policy=plan.policy,
        k=plan.k,
        seeds=seeds,
        gating=plan.gating,
    )
    attempts = [
        AttemptRequested(
            package=plan.package,
            revision=plan.revision,
            bundle=plan.bundle,
            trial=trial,
            attempt=derive_id("attempt", plan.package, plan.revision, trial, index),
            index=index,
            policy=plan.policy,
            seed=seed,
            max_turns=plan.max_turns,
            gating=plan.gating,
        )
        for index, seed in enumerate(seeds)
    ]
    return [opened, *attempts]


@dataclass
class JudgeDesk:
    """One delivery on the Judge's desk."""

    ctx: Context

    def review(self) -> None:
        """Open the panel's trials for a passed review; a rejected one is out."""
        review = self.ctx.cause.fact
        assert isinstance(review, ReviewCompleted)
        made = self._made()
        if review.outcome == "reject":
            self.ctx.say(self._candidate(made, review.reasons))
            return
        settings = self.ctx.settings
        for index, policy in enumerate(settings.panel, start=1):
            plan = TrialPlan(
                package=review.package,
                revision=review.revision,
                bundle=made.bundle,
                policy=policy,
                index=index,
                of=len(settings.panel),
                k=settings.attempts,
                seed=settings.seed,
                max_turns=settings.max_turns,
            )
            self.ctx.say(*trial_facts(plan))
        if not settings.panel:
            self.ctx.say(self._candidate(made, ()))

    def abandon(self) -> None:
        """A brief without a task is a candidate that is not ok."""
        fact = self.ctx.cause.fact
        assert isinstance(fact, PackageAbandoned)
        self.ctx.say(
            PackageCandidate(
                package=fact.package,
                run=self.ctx.run_id,
                round=fact.round,
                ordinal=fact.ordinal,
                ok=False,
                reasons=(fact.reason,),
            )
        )

    def score(self) -> None:
        """Score the attempt; close its trial and the package's trials where this one is the last.

        The count is over the package's stream under optimistic concurrency, against the numbers
        that the opened trials announced there.
        """
        finished = self.ctx.cause.fact
        assert isinstance(finished, AttemptFinished)
        stream = [envelope.fact for envelope in self.ctx.read(f"package/{finished.package}")]
        turns = [e.fact.turn for e in self.ctx.history() if isinstance(e.fact, TurnTaken)]
        bundle = Bundle.load(self.ctx.artifacts, finished.bundle)
        with self.ctx.tracing.evaluate("attempt") as span:
            verdict = score(bundle, finished, turns)
            record_verdict(span, verdict.outcome)
        reached = VerdictReached(
            package=finished.package,
            revision=finished.revision,
            trial=finished.trial,
            attempt=finished.attempt,
            index=finished.index,
            verdict=verdict,
        )
        self.ctx.say(reached)
        opened = next(f for f in stream if isinstance(f, TrialOpened) and f.trial == finished.trial)
        verdicts = [f for f in stream if isinstance(f, VerdictReached) and f.trial == opened.trial]
        if len(verdicts) + 1 < opened.k:
            return
        self.ctx.say(_closed(opened, [*verdicts, reached]))
        gating = {f.trial for f in stream if isinstance(f, TrialOpened) and f.gating}
        closed = {f.trial for f in stream if isinstance(f, TrialClosed)} & gating
        if opened.gating and len(closed) + 1 == opened.of:
            self.ctx.say(self._candidate(_last_made(stream), ()))

    def admit(self) -> None:
        """Settle every slot that is ready, in order."""
        admit(self.ctx)

    def _candidate(
        self, made: PackageDrafted | PackageRevised, reasons: tuple[str, ...]
    ) -> PackageCandidate:
        keys: tuple[str, ...] = ()
        if not reasons:
            bundle = Bundle.load(self.ctx.artifacts, made.bundle)
            keys = tuple(get_recipe(self.ctx.settings.recipe).fingerprint(bundle))
        return PackageCandidate(
            package=made.package,
            run=self.ctx.run_id,
            round=made.round,
            ordinal=made.ordinal,
            revision=made.revision,
            ok=not reasons,
            reasons=reasons,
            fingerprint=keys,
        )

    def _made(self) -> PackageDrafted | PackageRevised:
        return _last_made([envelope.fact for envelope in self.ctx.history()])


def _last_made(facts: list[Fact]) -> PackageDrafted | PackageRevised:
    return [fact for fact in facts if isinstance(fact, PackageDrafted | PackageRevised)][-1]


def _closed(opened: TrialOpened, verdicts: list[VerdictReached]) -> TrialClosed:
    scored = [reached for reached in verdicts if reached.verdict.outcome != "error"]
    passed = sum(reached.verdict.outcome == "pass" for reached in scored)
    return TrialClosed(
        package=opened.package,
        revision=opened.revision,
        trial=opened.trial,
        policy=opened.policy.name,
        n=len(scored),
        c=passed,
        pass_hat=pass_hat(len(scored), passed),
    )
