"""What the Tester does at each step: one gate after another, each a journaled effect."""

from dataclasses import dataclass, field

from envwright.agents.context import Context
from envwright.agents.tracing import record_verdict
from envwright.events import encode
from envwright.events.canonical import Json
from envwright.events.catalog import (
    GateEvaluated,
    PackageDrafted,
    PackageRevised,
    TestingCompleted,
)
from envwright.events.errors import InfrastructureError
from envwright.events.ports import EffectCall
from envwright.events.values import ArtifactRef, GateResult, GateSpec
from envwright.sandbox.gates import cheapest_first, run_gate
from envwright.sandbox.packages import Bundle


@dataclass
class TesterDesk:
    """One delivery on the Tester's desk."""

    ctx: Context
    bundle: Bundle | None = None
    results: list[GateResult] = field(default_factory=list)

    @property
    def made(self) -> PackageDrafted | PackageRevised:
        """The revision under test."""
        fact = self.ctx.cause.fact
        assert isinstance(fact, PackageDrafted | PackageRevised)
        return fact

    @property
    def gates(self) -> tuple[GateSpec, ...]:
        """The gate set, cheapest first."""
        return cheapest_first(self.made.gate_set)

    def load(self) -> None:
        """Load the revision's files."""
        self.bundle = Bundle.load(self.ctx.artifacts, self.made.bundle)

    def evaluate(self, index: int) -> bool:
        """Run one gate, or be served its recorded verdict; True while testing goes on."""
        spec = self.gates[index]
        call = EffectCall(
            kind="gate",
            effect_class="pure",
            node="evaluate",
            task=index,
            request={"gate": spec.model_dump(mode="json"), "revision": self.made.revision},
        )
        result = GateResult.model_validate(self.ctx.effect(call, lambda key: self._run(spec)))
        self.results.append(result)
        self.ctx.say(
            GateEvaluated(package=self.made.package, revision=self.made.revision, result=result)
        )
        return result.verdict == "pass" and index + 1 < len(self.gates)

    def _run(self, spec: GateSpec) -> Json:
        assert self.bundle is not None
        with self.ctx.tracing.gate(spec.gate) as span:
            outcome = run_gate(spec, self.bundle)
            record_verdict(span, outcome.result.verdict)
        if outcome.result.verdict == "error":
            raise InfrastructureError(f"gate {spec.gate!r}: {outcome.result.detail}")
        evidence: ArtifactRef = self.ctx.artifacts.put(encode(outcome.evidence), "application/json")
        return outcome.result.model_copy(update={"evidence": evidence}).model_dump(mode="json")

    def conclude(self) -> None:
        """Say how testing ended."""
        failed = next((result for result in self.results if result.verdict != "pass"), None)
        self.ctx.say(
            TestingCompleted(
                package=self.made.package,
                revision=self.made.revision,
                outcome=failed.verdict if failed else "pass",
                first_fail=failed.gate if failed else None,
            )
        )
