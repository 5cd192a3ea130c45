"""Facts about a package, its gates, trials and verdicts: stream `package/<id>`."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from envwright.events.catalog.fact import Fact, StreamKind
from envwright.events.values import ArtifactRef, GateResult, GateSpec, PolicySpec, Verdict


class PackageFact(Fact):
    """A fact about one package."""

    stream_kind: ClassVar[StreamKind] = "package"
    stream_key: ClassVar[str] = "package"
    package: str


class PackageDrafted(PackageFact):
    """The Builder made the first revision of a package."""

    type: Literal["package.drafted"] = "package.drafted"
    schema_version: Literal[1] = 1
    round: int
    ordinal: int
    revision: str
    """Revision digest, 64 hex digits."""
    bundle: ArtifactRef
    """Manifest of the revision's files."""
    gate_set: tuple[GateSpec, ...]
    gate_set_digest: str
    repair_round: int = 0


class PackageRevised(PackageFact):
    """The Builder repaired the blamed artifact: a new revision."""

    type: Literal["package.revised"] = "package.revised"
    schema_version: Literal[1] = 1
    round: int
    ordinal: int
    revision: str
    bundle: ArtifactRef
    gate_set: tuple[GateSpec, ...]
    gate_set_digest: str
    parent: str
    """The revision that was repaired."""
    artifact: str
    """The artifact that was made anew."""
    repair_round: int


class PackageAbandoned(PackageFact):
    """The Builder found no task for the brief."""

    type: Literal["package.abandoned"] = "package.abandoned"
    schema_version: Literal[1] = 1
    round: int
    ordinal: int
    reason: str


class GateEvaluated(PackageFact):
    """A gate ran on a revision."""

    type: Literal["gate.evaluated"] = "gate.evaluated"
    schema_version: Literal[1] = 1
    revision: str
    result: GateResult


class TestingCompleted(PackageFact):
    """Every gate of the gate set has a verdict, or one failed and the dearer ones were spared."""

    __test__: ClassVar[bool] = False
    type: Literal["testing.completed"] = "testing.completed"
    schema_version: Literal[1] = 1
    revision: str
    outcome: Literal["pass", "fail", "error"]
    first_fail: str | None = None
    """The first gate that did not pass."""


class RepairRequested(PackageFact):
    """The Critic routed a failure to one artifact."""

    type: Literal["repair.requested"] = "repair.requested"
    schema_version: Literal[1] = 1
    revision: str
    artifact: str
    reason: str
    repair_round: int


class ReviewCompleted(PackageFact):
    """The Critic has read the revision."""

    type: Literal["review.completed"] = "review.completed"
    schema_version: Literal[1] = 1
    revision: str
    outcome: Literal["pass", "reject"]
    reasons: tuple[str, ...] = ()


class TrialOpened(PackageFact):
    """The Judge orders k attempts of one panel policy; `of` announces how many trials there are."""

    type: Literal["trial.opened"] = "trial.opened"
    schema_version: Literal[1] = 1
    revision: str
    trial: str
    index: int
    of: int
    """How many trials (m) the review opened."""
    policy: PolicySpec
    k: int
    seeds: tuple[int, ...]
    gating: bool = True
    """Whether the trial belongs to admission; a later `solve` does not."""


class AttemptRequested(PackageFact):
    """One attempt is due."""

    type: Literal["attempt.requested"] = "attempt.requested"
    schema_version: Literal[1] = 1
    revision: str
    bundle: ArtifactRef
    trial: str
    attempt: str
    index: int
    policy: PolicySpec
    seed: int
    max_turns: int
    gating: bool = True
    """Whether the attempt belongs to admission."""


class VerdictReached(PackageFact):
    """The Judge scored an attempt."""

    type: Literal["verdict.reached"] = "verdict.reached"
    schema_version: Literal[1] = 1
    revision: str
    trial: str
    attempt: str
    index: int
    verdict: Verdict


class TrialClosed(PackageFact):
    """All k attempts of a trial have a verdict."""

    type: Literal["trial.closed"] = "trial.closed"
    schema_version: Literal[1] = 1
    revision: str
    trial: str
    policy: str
    n: int
    """Attempts that were scored."""
    c: int
    """Attempts that passed."""
    pass_hat: dict[str, float] = Field(default_factory=dict)
    """pass^j for j = 1 … n: the chance that j attempts drawn from the n all pass."""


class PackageCandidate(PackageFact):
    """The package has all that admission asks for, or is out with reasons."""

    type: Literal["package.candidate"] = "package.candidate"
    schema_version: Literal[1] = 1
    run: str
    round: int
    ordinal: int
    revision: str | None = None
    ok: bool
    reasons: tuple[str, ...] = ()
    fingerprint: tuple[str, ...] = ()
    """Novelty keys: two packages with a key in common are alike."""


class PackageRetired(PackageFact):
    """The package is no longer offered."""

    type: Literal["package.retired"] = "package.retired"
    schema_version: Literal[1] = 1
    revision: str
    reason: str


class OperatorApplied(PackageFact):
    """A pure transform made something from this package or its trajectories."""

    type: Literal["operator.applied"] = "operator.applied"
    schema_version: Literal[1] = 1
    operator: str
    version: str
    config_digest: str
    inputs: tuple[str, ...]
    output: ArtifactRef
    detail: dict[str, Any] = Field(default_factory=dict)
