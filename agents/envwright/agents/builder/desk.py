"""What the Builder does at each step: draft or repair through the recipe, keep the bundle."""

import json
from dataclasses import dataclass

from envwright.agents.context import Context
from envwright.agents.gate_sets import gates_under
from envwright.events.canonical import Json
from envwright.events.catalog import (
    BriefPlanned,
    PackageAbandoned,
    PackageDrafted,
    PackageRevised,
    RepairRequested,
    RunStarted,
)
from envwright.events.values import Brief
from envwright.recipes import Blame, Draft, NoTaskError, get_recipe
from envwright.sandbox.gates import gate_set_digest
from envwright.sandbox.packages import Bundle


@dataclass
class BuilderDesk:
    """One delivery on the Builder's desk."""

    ctx: Context
    draft: Draft | None = None

    def make(self) -> bool:
        """Draft or repair the package; False where the recipe finds no task for the brief."""
        brief = self._brief()
        try:
            self.draft = self._make(brief)
        except NoTaskError as error:
            self.ctx.say(
                PackageAbandoned(
                    package=brief.package,
                    round=brief.round,
                    ordinal=brief.ordinal,
                    reason=error.reason,
                )
            )
            return False
        return True

    def _make(self, brief: Brief) -> Draft:
        """Draft, or make the blamed artifact anew while the others stay byte for byte."""
        request = self.ctx.cause.fact
        recipe = get_recipe(brief.recipe)
        if not isinstance(request, RepairRequested):
            return recipe.build(self._profile(), brief)
        blame = Blame(
            artifact=request.artifact, reason=request.reason, repair_round=request.repair_round
        )
        bundle = Bundle.load(self.ctx.artifacts, self._latest().bundle)
        return recipe.repair(self._profile(), brief, bundle, blame)

    def keep(self) -> None:
        """Keep the bundle's files as artifacts and say what was made."""
        assert self.draft is not None
        brief = self._brief()
        bundle = self.draft.bundle
        gates = gates_under(self.draft.gate_set, self.ctx.settings)
        common: dict[str, Json] = {
            "package": brief.package,
            "round": brief.round,
            "ordinal": brief.ordinal,
            "revision": bundle.revision,
            "bundle": bundle.save(self.ctx.artifacts),
            "gate_set": gates,
            "gate_set_digest": gate_set_digest(gates),
        }
        request = self.ctx.cause.fact
        if isinstance(request, RepairRequested):
            self.ctx.say(
                PackageRevised(
                    **common,
                    parent=request.revision,
                    artifact=request.artifact,
                    repair_round=request.repair_round,
                )
            )
        else:
            self.ctx.say(PackageDrafted(**common))

    def _brief(self) -> Brief:
        planned = self.ctx.cause.fact
        if isinstance(planned, BriefPlanned):
            return planned.brief
        package = self.ctx.cause.correlation_id
        run = f"run/{self.ctx.run_id}"
        return self.ctx.first(run, BriefPlanned, lambda p: p.brief.package == package).brief

    def _latest(self) -> PackageDrafted | PackageRevised:
        made = [
            envelope.fact
            for envelope in self.ctx.history()
            if isinstance(envelope.fact, PackageDrafted | PackageRevised)
        ]
        return made[-1]

    def _profile(self) -> Json:
        started = self.ctx.first(f"run/{self.ctx.run_id}", RunStarted)
        return _profile(self.ctx, started.profile.digest)


_PROFILES: dict[str, Json] = {}


def _profile(ctx: Context, digest: str) -> Json:
    """Return a profile by digest; parsed once per process, since it never changes."""
    if digest not in _PROFILES:
        _PROFILES.clear()
        _PROFILES[digest] = json.loads(ctx.artifacts.get(digest))
    return _PROFILES[digest]
