"""What the Planner does at each step; a pure function of sources, settings, seed and rounds."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from envwright.agents.context import Context
from envwright.agents.planner.inheritance import Inheritance
from envwright.agents.slots import RunState, asked_for, fold_run
from envwright.events import derive_id, encode
from envwright.events.canonical import Json
from envwright.events.catalog import (
    BriefPlanned,
    Fact,
    PackageAdmitted,
    RoundOpened,
    RoundSettled,
    RunCompleted,
    RunFailed,
    RunForked,
    RunRequested,
    RunStarted,
    SourceIngested,
    SourceProfiled,
)
from envwright.events.errors import BadInputError
from envwright.events.values import ArtifactRef, Brief
from envwright.recipes import Ingested, Recipe, SlotOutcome, SlotRequest, get_recipe

_SKIPS_KEPT = 50


@dataclass
class PlannerDesk:
    """One delivery on the Planner's desk."""

    ctx: Context
    ingested: list[Ingested] = field(default_factory=list)
    profile: Json = None

    @property
    def recipe(self) -> Recipe:
        """The recipe that the run was requested with."""
        return get_recipe(self.ctx.settings.recipe)

    @property
    def request(self) -> RunRequested:
        """What is asked for, by a request or by a fork."""
        asked = asked_for(self.ctx.cause.fact)
        assert asked is not None
        return asked

    def inherit(self) -> bool:
        """Take over what the origin of a fork has mined; False where that must be done anew."""
        fork = self.ctx.cause.fact
        assert isinstance(fork, RunForked)
        started = Inheritance(self.ctx, fork, self.recipe).started
        if started is None:
            return False
        self.profile = json.loads(self.ctx.artifacts.get(started.profile.digest))
        self.ctx.say(started.model_copy(update={"run": self.ctx.run_id}))
        return True

    def ingest(self) -> bool:
        """Read every source; False where one is unusable, which fails the run."""
        for source in sorted(self.request.sources, key=lambda ref: ref.artifact.digest):
            data = self.ctx.artifacts.get(source.artifact.digest)
            try:
                with self.ctx.tracing.step("read source"):
                    found = self.recipe.ingest(source.name, data)
            except BadInputError as error:
                return self._fail(error)
            self.ingested.append(found)
            self.ctx.say(
                SourceIngested(
                    source=source.artifact.digest,
                    name=source.name,
                    artifact=source.artifact,
                    format=found.format,
                    records=found.records,
                    calls=found.calls,
                    skipped=found.skipped,
                    skips=found.skips[:_SKIPS_KEPT],
                )
            )
        return True

    def mine(self) -> bool:
        """Let the recipe profile all sources together; False where they hold nothing to work on."""
        try:
            with self.ctx.tracing.step("mine"):
                found = self.recipe.profile(self.ingested, self.request.settings.options)
            mined = encode(found, nfc=True)
        except BadInputError as error:
            return self._fail(error)
        # Through its bytes, so that every round plans from the same values.
        self.profile = json.loads(mined)
        kept = self.ctx.artifacts.put(mined, "application/json")
        digests = sorted(ref.artifact.digest for ref in self.request.sources)
        for digest in digests:
            self.ctx.say(
                SourceProfiled(
                    source=digest,
                    recipe=self.recipe.id,
                    recipe_version=self.recipe.version,
                    summary=self.recipe.summary(self.profile),
                )
            )
        self.ctx.say(
            RunStarted(
                run=self.ctx.run_id,
                recipe=self.recipe.id,
                recipe_version=self.recipe.version,
                sources=tuple(digests),
                profile=kept,
                exports=self._exports(),
            )
        )
        return True

    def _exports(self) -> dict[str, ArtifactRef]:
        """Keep what the recipe offers besides packages."""
        files = self.recipe.exports(self.profile)
        kept = self.ctx.artifacts
        return {name: kept.put(files[name], "application/json") for name in sorted(files)}

    def decide(self) -> Literal["open_round", "end"]:
        """After a settled round: open the next, or complete the run."""
        settled = self.ctx.cause.fact
        assert isinstance(settled, RoundSettled)
        settings = self.ctx.settings
        reason: Literal["enough", "max_rounds", "dry_round"]
        if settled.total_admitted >= settings.count:
            reason = "enough"
        elif settled.admitted == 0:
            reason = "dry_round"
        elif settled.round >= settings.max_rounds:
            reason = "max_rounds"
        else:
            return "open_round"
        self.ctx.say(
            RunCompleted(
                run=self.ctx.run_id,
                admitted=settled.total_admitted,
                requested=settings.count,
                shortfall=settings.count - settled.total_admitted,
                reason=reason,
            )
        )
        return "end"

    def open_round(self) -> bool:
        """Order one package for each slot of the next round; False where settings are no good."""
        state = fold_run(self.ctx.history())
        number = state.round + 1
        slots = self.ctx.settings.round_size
        if self.profile is None:
            started = self.ctx.first(f"run/{self.ctx.run_id}", RunStarted)
            self.profile = json.loads(self.ctx.artifacts.get(started.profile.digest))
        history = slot_outcomes(state)
        try:
            briefs = [self._brief(number, ordinal, history) for ordinal in range(1, slots + 1)]
        except BadInputError as error:
            return self._fail(error)
        self.ctx.say(RoundOpened(run=self.ctx.run_id, round=number, slots=slots))
        self.ctx.say(*self._orders(state, briefs))
        return True

    def _orders(self, state: RunState, briefs: list[Brief]) -> Iterable[Fact]:
        """Return the order of each slot; a forked run orders nothing that it can inherit."""
        if state.forked is None:
            return [BriefPlanned(run=self.ctx.run_id, brief=brief) for brief in briefs]
        return Inheritance(self.ctx, state.forked, self.recipe).orders(state, briefs, self.profile)

    def _fail(self, error: BadInputError) -> Literal[False]:
        self.ctx.say(RunFailed(run=self.ctx.run_id, reason=str(error)))
        return False

    def _brief(self, number: int, ordinal: int, history: tuple[SlotOutcome, ...]) -> Brief:
        package = derive_id("package", self.ctx.run_id, self.recipe.id, number, ordinal)
        return self.recipe.brief(
            self.profile,
            self.ctx.settings,
            SlotRequest(package=package, round=number, ordinal=ordinal),
            history,
        )


def slot_outcomes(state: RunState) -> tuple[SlotOutcome, ...]:
    """Return the outcomes of every settled slot, in slot order, without ids."""
    return tuple(
        SlotOutcome(
            round=place[0],
            ordinal=place[1],
            admitted=isinstance(outcome, PackageAdmitted),
            reasons=() if isinstance(outcome, PackageAdmitted) else (outcome.reason,),
            plan=state.briefs[place].plan,
        )
        for place, outcome in sorted(state.outcomes.items())
    )
