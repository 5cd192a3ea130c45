"""Domain values that events carry: briefs, packages, gates, turns, verdicts, task views."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from envwright.events.canonical import Json


class Value(BaseModel):
    """Base of every value: frozen, closed, with its attribute docstrings in the JSON Schema."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, defer_build=True
    )

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with `update`; what was cached from the old fields is computed anew."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


class ArtifactRef(Value):
    """A reference to content-addressed bytes in the artifact store."""

    digest: str
    """sha256 of the bytes, 64 hex digits."""
    size: int = Field(ge=0)
    """Length in bytes."""
    media_type: str = "application/octet-stream"


class Actor(Value):
    """Who wrote an event."""

    role: str
    """planner, builder, tester, critic, solver, judge, operator (a person) or system."""
    instance: str
    """The process that wrote it; outside every comparison."""
    code_version: str
    """Version of the code that decided."""


class SourceRef(Value):
    """Real material that a run starts from."""

    name: str
    """File name without its folder."""
    artifact: ArtifactRef


class Skip(Value):
    """A part of a source that could not be used, and why."""

    place: str
    """File name and line, element or field."""
    reason: str


class PolicySpec(Value):
    """A policy of the panel that attempts admitted candidates."""

    name: str
    settings: dict[str, Any] = Field(default_factory=dict)


class RunSettings(Value):
    """Everything that decides a run besides its sources; the defaults are ours."""

    recipe: str
    count: int = Field(ge=1)
    """How many packages to admit (N)."""
    seed: int = 0
    slots: int | None = Field(default=None, ge=1)
    """Slots of a round; None means 2 N."""
    max_rounds: int = Field(default=10, ge=1)
    max_repairs: int = Field(default=3, ge=0)
    attempts: int = Field(default=4, ge=1)
    """Attempts of each panel policy on a candidate (k)."""
    max_turns: int = Field(default=30, ge=1)
    panel: tuple[PolicySpec, ...] = (PolicySpec(name="searcher"), PolicySpec(name="random"))
    max_retries: int = Field(default=3, ge=0)
    """Retries of an infrastructure error before the run pauses."""
    allow_short: bool = False
    """Whether fewer than N admitted packages still count as done."""
    gates: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Settings of gates, by the gate's id: they win over what the recipe says."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of the recipe itself."""

    @property
    def round_size(self) -> int:
        """Slots that a round opens."""
        return self.slots if self.slots is not None else 2 * self.count


class Brief(Value):
    """The Planner's order for one package: a pure function of sources, settings, seed and slot."""

    package: str
    recipe: str
    recipe_version: str
    round: int
    ordinal: int
    content_seed: str
    """H(seed, recipe, round, ordinal): the only seed that package content may use."""
    plan: dict[str, Any] = Field(default_factory=dict)
    """What the recipe decided for this slot."""


class GateSpec(Value):
    """A gate that a recipe declares for its packages."""

    gate: str
    version: str = "1"
    blames: str = "environment"
    """The artifact that a failure routes to: environment, instruction, solution or verifier."""
    settings: dict[str, Any] = Field(default_factory=dict)


class GateResult(Value):
    """The verdict of one executed check."""

    gate: str
    version: str
    verdict: Literal["pass", "fail", "error"]
    reason: str = ""
    """Reason code in upper case when the verdict is not `pass`."""
    detail: str = ""
    blames: str = ""
    evidence: ArtifactRef | None = None
    """The calls, observations and digests that the gate saw."""


class ToolSchema(Value):
    """A tool as a solver sees it."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=lambda: {"type": "object", "properties": {}})


class TaskView(Value):
    """What a solver sees of a package: plain data, nothing hidden."""

    instruction: str
    tools: tuple[ToolSchema, ...]
    files: dict[str, str] = Field(default_factory=dict)
    """Boundary files by name."""


class Observation(Value):
    """What a tool call gives back to its caller."""

    ok: bool
    value: Any = None
    """The result, or the error text when not `ok`."""


class ToolCall(Value):
    """One call that a policy asks for."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Turn(Value):
    """One turn of an attempt: what was called and what came back."""

    index: int
    calls: tuple[ToolCall, ...]
    observations: tuple[Observation, ...]
    thought: str = ""
    state_digest: str = ""
    """Digest of the world's state after the turn."""


class RewardComponent(Value):
    """One named part of a reward, with the evidence that it rests on."""

    name: str
    value: float
    weight: float = 1.0
    evidence: str = ""


class Verdict(Value):
    """The Judge's finding on an attempt."""

    outcome: Literal["pass", "fail", "error"]
    """`error` is an infrastructure failure: no reward, and in no pass rate."""
    reward: float | None = None
    components: tuple[RewardComponent, ...] = ()


def artifact_json(value: Json) -> Json:
    """Return a pydantic value as plain JSON, for artifacts and comparisons."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
