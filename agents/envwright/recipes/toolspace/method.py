"""The ToolSpace recipe: real tool logs become grounded tools, and walks over them become tasks."""

from collections.abc import Sequence

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.events.identifiers import content_seed
from envwright.events.values import Brief, RunSettings
from envwright.recipes.recipe import (
    Blame,
    Draft,
    Finding,
    Ingested,
    SlotOutcome,
    SlotRequest,
)
from envwright.recipes.toolspace.fingerprint import fingerprint
from envwright.recipes.toolspace.profile import mine, read_profile
from envwright.recipes.toolspace.readers import read_source
from envwright.recipes.toolspace.report import report, summarise
from envwright.recipes.toolspace.review import review
from envwright.recipes.toolspace.tasks.blueprint import SERVICES
from envwright.recipes.toolspace.tasks.building import Maker
from envwright.recipes.toolspace.walks.drawing import Plan, plan_slot
from envwright.recipes.toolspace.walks.knowledge import knowledge_of
from envwright.sandbox.gates import default_gate_set
from envwright.sandbox.packages import Bundle


class ToolSpace:
    """Mines tool logs and writes tasks backwards from walks that were executed."""

    id = "toolspace"
    version = "1"
    title = "ToolSpace: tasks from real tool logs, over tools whose effects the log proves"
    needs = (
        "tool-call logs (OpenAI chat trajectories or call records, JSON or JSONL), and tool "
        "manifests if there are any"
    )
    state = (
        "works, narrow: tables and finders from reads; writes that set constants, arguments and "
        "fields, append objects or add rows; tasks of one to six calls; in-sample fidelity. Not "
        "yet: list results, arithmetic, weighted graph, held-out fidelity, decontamination"
    )

    def ingest(self, name: str, data: bytes) -> Ingested:
        """Read a tool log or a tool manifest."""
        return read_source(name, data)

    def profile(self, sources: Sequence[Ingested]) -> Json:
        """Mine tables, programs, links and entries."""
        return mine(sources)

    def summary(self, profile: Json) -> dict[str, Json]:
        """Return counts of traces, tools and rows."""
        return summarise(read_profile(profile))

    def brief(
        self,
        profile: Json,
        settings: RunSettings,
        slot: SlotRequest,
        history: Sequence[SlotOutcome],
    ) -> Brief:
        """Order a task about one of the grounded tools."""
        seed = content_seed(settings.seed, self.id, slot.round, slot.ordinal)
        plan = plan_slot(knowledge_of(profile), slot, seed, history)
        return Brief(
            package=slot.package,
            recipe=self.id,
            recipe_version=self.version,
            round=slot.round,
            ordinal=slot.ordinal,
            content_seed=seed,
            plan=_with_options(plan, settings).model_dump(mode="json"),
        )

    def build(self, profile: Json, brief: Brief) -> Draft:
        """Draw walks until one gives a task that holds."""
        return self._draft(profile, brief, brief.content_seed, brief.content_seed)

    def repair(self, profile: Json, brief: Brief, draft: Bundle, blame: Blame) -> Draft:
        """Tell the same story in other words, or draw another one.

        Environment, solution and verifier all follow from the walk, so a fault in one of them can
        only be repaired by another walk.
        """
        again = f"{brief.content_seed}/repair-{blame.repair_round}"
        seed = brief.content_seed if blame.artifact == "instruction" else again
        return self._draft(profile, brief, seed, again)

    def review(self, bundle: Bundle) -> tuple[Finding, ...]:
        """Read a package for contract, boundary, quotes and ambiguity."""
        return review(bundle)

    def fingerprint(self, bundle: Bundle) -> tuple[str, ...]:
        """Return digests of the reference calls, as they are and with ids renamed."""
        return fingerprint(bundle)

    def describe(self, bundle: Bundle) -> dict[str, Json]:
        """Return the services that a task touches and the length of its reference."""
        services = [f.value for f in bundle.blueprint.facts if f.id == SERVICES]
        return {
            "services": services[0] if services else [],
            "calls": len(bundle.solution.calls),
            "tools": sorted({call.name for call in bundle.solution.calls}),
        }

    def report(self, profile: Json) -> dict[str, Json]:
        """Return what of the log was grounded, and why the rest was not."""
        return report(read_profile(profile))

    def _draft(self, profile: Json, brief: Brief, seed: str, words: str) -> Draft:
        plan = Plan.model_validate(brief.plan)
        maker = Maker(knowledge_of(profile), self.id, self.version)
        return Draft(maker.make(plan, seed, words), default_gate_set())


def _with_options(plan: Plan, settings: RunSettings) -> Plan:
    size = settings.options.get("environment_bytes", plan.environment_bytes)
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise BadInputError(f"option environment_bytes is {size!r}; expected a whole number")
    return plan.model_copy(update={"environment_bytes": size})
