"""The ToolSpace recipe: real tool logs become grounded tools, and walks over them become tasks."""

from collections.abc import Mapping, Sequence

from envwright.events.canonical import Json, encode
from envwright.events.errors import BadInputError
from envwright.events.identifiers import content_seed
from envwright.events.values import Brief, GateSpec, RunSettings
from envwright.recipes.recipe import (
    HELD_OUT,
    NO_OPTIONS,
    Blame,
    Disguise,
    Draft,
    Finding,
    Ingested,
    Options,
    SlotOutcome,
    SlotRequest,
    Source,
)
from envwright.recipes.toolspace.fingerprint import fingerprint
from envwright.recipes.toolspace.holdout import read_holdout
from envwright.recipes.toolspace.mining.graph import graph_json
from envwright.recipes.toolspace.profile import FIDELITY, mine, read_profile
from envwright.recipes.toolspace.readers import disguised, read_source
from envwright.recipes.toolspace.report import report, summarise
from envwright.recipes.toolspace.review import AMBIGUOUS, review
from envwright.recipes.toolspace.tasks.blueprint import ENTITIES, SERVICES
from envwright.recipes.toolspace.tasks.building import Maker
from envwright.recipes.toolspace.walks.chain import Bounds
from envwright.recipes.toolspace.walks.drawing import Plan, plan_slot
from envwright.recipes.toolspace.walks.knowledge import knowledge_of
from envwright.sandbox.gates import default_gate_set, gate_spec
from envwright.sandbox.packages import Bundle


class ToolSpace:
    """Mines tool logs and writes tasks backwards from walks that were executed."""

    id = "toolspace"
    version = "2"
    title = "ToolSpace: tasks from real tool logs, over tools whose effects the log proves"
    needs = (
        "tool-call logs as JSON or JSONL (chat trajectories, MCP recordings, call records, "
        "OpenTelemetry spans with content), and tool manifests if there are any"
    )
    state = (
        "works: reads, finders and writes that the log proves; a weighted graph of tools; chains "
        "of 6 to 20 necessary calls (--set min_calls=, max_calls=, temperature=), also through the "
        "recorded answers of stateless tools; passing faults where the log shows retries "
        "(fault_rate=); a threshold of fidelity (fidelity_threshold=); held-out tasks"
    )

    def disguise(self, sources: Sequence[Source], disguise: Disguise) -> list[Source]:
        """Replace the values of some fields by pseudonyms, wherever they occur."""
        return disguised(sources, disguise)

    def ingest(self, name: str, data: bytes) -> Ingested:
        """Read a tool log, a tool manifest, or tasks that are held out (named `holdout/…`)."""
        return (read_holdout if name.startswith(HELD_OUT) else read_source)(name, data)

    def profile(self, sources: Sequence[Ingested], options: Options = NO_OPTIONS) -> Json:
        """Mine tables, programs, links and entries; `fidelity_threshold` is an option."""
        return mine(sources, _share(options, "fidelity_threshold", FIDELITY))

    def exports(self, profile: Json) -> dict[str, bytes]:
        """Return the tool graph as `graph.json`."""
        return {"graph.json": encode(graph_json(read_profile(profile).graph))}

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

    def gate_set(self, profile: Json, brief: Brief) -> tuple[GateSpec, ...]:
        """Return the minimum, necessity of the calls and, with a held-out set, its marks."""
        gates = [*default_gate_set(), gate_spec("calls_necessary")]
        held_out = knowledge_of(profile).profile.holdout
        if held_out.sources:
            marks = {"sequences": list(held_out.sequences), "grams": list(held_out.grams)}
            gates.append(gate_spec("not_held_out", **marks))
        return tuple(gates)

    def build(self, profile: Json, brief: Brief) -> Draft:
        """Draw walks until one gives a task that holds."""
        return self._draft(profile, brief, brief.content_seed, brief.content_seed)

    def repair(self, profile: Json, brief: Brief, draft: Bundle, blame: Blame) -> Draft:
        """Tell the same story in other words, or draw another one.

        Environment, solution and verifier all follow from the walk, and so does what tells one row
        from another: a fault in one of them can only be repaired by another walk.
        """
        again = f"{brief.content_seed}/repair-{blame.repair_round}"
        worded = blame.artifact == "instruction" and blame.reason != AMBIGUOUS
        seed = brief.content_seed if worded else again
        return self._draft(profile, brief, seed, again)

    def review(self, bundle: Bundle) -> tuple[Finding, ...]:
        """Read a package for contract, boundary, quotes and ambiguity."""
        return review(bundle)

    def fingerprint(self, bundle: Bundle) -> tuple[str, ...]:
        """Return digests of the reference calls, as they are and with ids renamed."""
        return fingerprint(bundle)

    def describe(self, bundle: Bundle) -> dict[str, Json]:
        """Return what a task touches and joins, the length of its reference, and its faults.

        `entities` are the types of rows that data edges of the reference join. A call that meets a
        fault and is made again counts once.
        """
        facts = {fact.id: fact.value for fact in bundle.blueprint.facts}
        faults = bundle.json("environment/world.json").get("faults", {})
        return {
            "services": facts.get(SERVICES, []),
            "entities": facts.get(ENTITIES, []),
            "calls": len(bundle.solution.calls) - sum(fault["times"] for fault in faults.values()),
            "tools": sorted({call.name for call in bundle.solution.calls}),
            "faults": sorted(faults),
        }

    def report(self, profile: Json) -> dict[str, Json]:
        """Return what of the log was grounded, and why the rest was not."""
        return report(read_profile(profile))

    def _draft(self, profile: Json, brief: Brief, seed: str, words: str) -> Draft:
        plan = Plan.model_validate(brief.plan)
        maker = Maker(knowledge_of(profile), self.id, self.version)
        return Draft(maker.make(plan, seed, words), self.gate_set(profile, brief))


def _with_options(plan: Plan, settings: RunSettings) -> Plan:
    options = settings.options
    bounds = Bounds(
        least=_whole(options, "min_calls", plan.bounds.least, 1),
        most=_whole(options, "max_calls", plan.bounds.most, 1),
        temperature=_temperature(options, plan.bounds.temperature),
    )
    if bounds.least > bounds.most:
        raise BadInputError(
            f"option min_calls is {bounds.least}, max_calls is {bounds.most}; "
            f"expected no more than that"
        )
    size = _whole(options, "environment_bytes", plan.environment_bytes, 0)
    return plan.model_copy(
        update={
            "bounds": bounds,
            "environment_bytes": size,
            "fault_rate": _share(options, "fault_rate", plan.fault_rate),
        }
    )


def _whole(options: Mapping[str, Json], name: str, default: int, least: int) -> int:
    value = options.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadInputError(
            f"option {name} is {value!r}; expected a whole number of {least} or more"
        )
    return value


def _share(options: Mapping[str, Json], name: str, default: float) -> float:
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise BadInputError(f"option {name} is {value!r}; expected a number from 0 to 1")
    return float(value)


def _temperature(options: Mapping[str, Json], default: float) -> float:
    value = options.get("temperature", default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1000:
        raise BadInputError(f"option temperature is {value!r}; expected a number above 0")
    return float(value)
