"""What the Critic does at each step: read, then pass, route to one artifact, or reject."""

from dataclasses import dataclass, field

from envwright.agents.context import Context
from envwright.events.catalog import (
    GateEvaluated,
    PackageDrafted,
    PackageRevised,
    RepairRequested,
    ReviewCompleted,
    TestingCompleted,
)
from envwright.recipes import Finding, Recipe, get_recipe
from envwright.sandbox.packages import Bundle


@dataclass
class CriticDesk:
    """One delivery on the Critic's desk."""

    ctx: Context
    findings: list[Finding] = field(default_factory=list)

    @property
    def tested(self) -> TestingCompleted:
        """What the Tester concluded."""
        fact = self.ctx.cause.fact
        assert isinstance(fact, TestingCompleted)
        return fact

    @property
    def recipe(self) -> Recipe:
        """The recipe of the run."""
        return get_recipe(self.ctx.settings.recipe)

    def collect(self) -> None:
        """Collect what the failed gate blames, or what reading the revision finds."""
        if self.tested.outcome != "pass":
            for envelope in self.ctx.history():
                fact = envelope.fact
                if (
                    isinstance(fact, GateEvaluated)
                    and fact.revision == self.tested.revision
                    and fact.result.verdict != "pass"
                ):
                    result = fact.result
                    self.findings.append(
                        Finding(artifact=result.blames, reason=result.reason, detail=result.detail)
                    )
            return
        bundle = Bundle.load(self.ctx.artifacts, self._made().bundle)
        self.findings.extend(self.recipe.review(bundle))

    def route(self) -> None:
        """Pass the revision on, ask for one repair, or reject past the limit."""
        made, tested = self._made(), self.tested
        if not self.findings:
            self.ctx.say(
                ReviewCompleted(package=tested.package, revision=tested.revision, outcome="pass")
            )
            return
        finding = self.findings[0]
        if made.repair_round < self.ctx.settings.max_repairs:
            self.ctx.say(
                RepairRequested(
                    package=tested.package,
                    revision=tested.revision,
                    artifact=finding.artifact,
                    reason=finding.reason,
                    repair_round=made.repair_round + 1,
                )
            )
            return
        reasons = tuple(dict.fromkeys(found.reason for found in self.findings))
        self.ctx.say(
            ReviewCompleted(
                package=tested.package,
                revision=tested.revision,
                outcome="reject",
                reasons=reasons,
            )
        )

    def _made(self) -> PackageDrafted | PackageRevised:
        for envelope in reversed(self.ctx.history()):
            fact = envelope.fact
            if isinstance(fact, PackageDrafted | PackageRevised):
                return fact
        raise AssertionError("testing completed on a package that was never drafted")
