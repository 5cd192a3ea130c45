"""Inheritance: what a forked run takes over from its origin, slot by slot, and what it does not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from envwright.agents.context import Context
from envwright.agents.gate_sets import gates_under
from envwright.agents.register import SURPLUS, Register, known_keys
from envwright.agents.slots import RunState, fold_run
from envwright.events.canonical import Json
from envwright.events.catalog import (
    BriefPlanned,
    Fact,
    PackageAdmitted,
    PackageCandidate,
    PackageDrafted,
    PackageInherited,
    PackageRejected,
    PackageRevised,
    RepairRequested,
    ReviewCompleted,
    RunForked,
    RunStarted,
)
from envwright.events.envelope import Envelope
from envwright.events.values import Brief
from envwright.recipes import Recipe
from envwright.sandbox.gates import gate_set_digest


@dataclass
class Inheritance:
    """The past of a forked run: its origin up to the point of the fork, and no further.

    A slot that the origin had settled by then is inherited where everything that decided its
    package's way to admission is as it was: the brief (and with it the seed and what earlier
    rounds came to), the profile, the recipe's version and options, the gate set, and the limit of
    repairs as far as the package came to it. Trials decide nothing, so they are no ground to do
    it again.
    """

    ctx: Context
    fork: RunForked
    recipe: Recipe

    @cached_property
    def _past(self) -> list[Envelope]:
        return self._as_of(f"run/{self.fork.origin}")

    @cached_property
    def _origin(self) -> RunState:
        return fold_run(self._past)

    @cached_property
    def _settled(self) -> dict[tuple[int, int], Envelope]:
        return {
            (envelope.fact.round, envelope.fact.ordinal): envelope
            for envelope in self._past
            if isinstance(envelope.fact, PackageAdmitted | PackageRejected)
        }

    @cached_property
    def started(self) -> RunStarted | None:
        """What the origin mined, if the recipe would mine the same; None where it must do so."""
        origin = self._origin.requested
        if origin is None or origin.settings.options != self.ctx.settings.options:
            return None
        sources = tuple(sorted(source.artifact.digest for source in self.fork.sources))
        for envelope in self._past:
            fact = envelope.fact
            if isinstance(fact, RunStarted):
                same = (fact.recipe, fact.recipe_version) == (self.recipe.id, self.recipe.version)
                return fact if same and fact.sources == sources else None
        return None

    def orders(
        self, state: RunState, briefs: Sequence[Brief], profile: Json
    ) -> Iterator[PackageInherited | BriefPlanned]:
        """Yield, for each slot of a round, its package of old or the brief for another one.

        A slot that was surplus has nothing to be judged by: it is inherited where it is sure to
        be surplus again, whatever the slots that are done anew come to.
        """
        assert state.requested is not None
        register = Register.of(state, known_keys(self.ctx, state.requested))
        foreseen = True
        for brief in briefs:
            inherited = self._inherited(brief, profile, surplus=register.full)
            if inherited is None:
                foreseen = False
                yield BriefPlanned(run=self.fork.run, brief=brief)
                continue
            if foreseen and not register.full:
                register.settle(inherited.ok, inherited.reasons, inherited.fingerprint)
            yield inherited

    def _inherited(self, brief: Brief, profile: Json, *, surplus: bool) -> PackageInherited | None:
        place = (brief.round, brief.ordinal)
        settled = self._settled.get(place)
        if settled is None or self.started is None:
            return None
        prior = self._origin.briefs[place]
        if brief.model_copy(update={"package": prior.package}) != prior:
            return None
        story = self._as_of(f"package/{prior.package}")
        candidates = [e for e in story if isinstance(e.fact, PackageCandidate)]
        if candidates and self._holds(brief, profile, [envelope.fact for envelope in story]):
            return self._taken(prior, settled, story, candidates[-1])
        if surplus and not candidates:
            return self._taken(prior, settled, story, None)
        return None

    def _holds(self, brief: Brief, profile: Json, facts: Sequence[Fact]) -> bool:
        """Say whether the package would come to the same candidate under this run's settings."""
        settings = self.ctx.settings
        gates = gate_set_digest(gates_under(self.recipe.gate_set(profile, brief), settings))
        if any(fact.gate_set_digest != gates for fact in _made(facts)):
            return False
        repairs = max((f.repair_round for f in facts if isinstance(f, RepairRequested)), default=0)
        given_up = any(isinstance(f, ReviewCompleted) and f.outcome == "reject" for f in facts)
        if given_up:
            return repairs == settings.max_repairs
        return repairs <= settings.max_repairs

    def _taken(
        self, prior: Brief, settled: Envelope, story: list[Envelope], candidate: Envelope | None
    ) -> PackageInherited:
        before = self._origin.inherited.get((prior.round, prior.ordinal))
        made = _made([envelope.fact for envelope in story])
        fact = candidate.fact if candidate else None
        assert fact is None or isinstance(fact, PackageCandidate)
        return PackageInherited(
            run=self.fork.run,
            package=prior.package,
            round=prior.round,
            ordinal=prior.ordinal,
            brief=prior,
            revision=fact.revision if fact else None,
            ok=fact.ok if fact else False,
            reasons=fact.reasons if fact else (SURPLUS,),
            fingerprint=fact.fingerprint if fact else (),
            gate_set_digest=made[-1].gate_set_digest if made else "",
            outcome="admitted" if isinstance(settled.fact, PackageAdmitted) else "rejected",
            origin_run=before.origin_run if before else self.fork.origin,
            event=settled.id,
            candidate=candidate.id if candidate else "",
        )

    def _as_of(self, stream: str) -> list[Envelope]:
        """Return a stream as it was at the point of the fork; later events never count."""
        return [e for e in self.ctx.read(stream) if e.position <= self.fork.at]


def _made(facts: Sequence[Fact]) -> list[PackageDrafted | PackageRevised]:
    return [fact for fact in facts if isinstance(fact, PackageDrafted | PackageRevised)]
