"""Facts about a run, its rounds and its admissions: stream `run/<id>`."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from envwright.events.catalog.fact import Fact, StreamKind
from envwright.events.values import ArtifactRef, Brief, RunSettings, SourceRef


class RunFact(Fact):
    """A fact about one run."""

    stream_kind: ClassVar[StreamKind] = "run"
    stream_key: ClassVar[str] = "run"
    run: str


class RunRequested(RunFact):
    """A user asked for a run."""

    type: Literal["run.requested"] = "run.requested"
    schema_version: Literal[1] = 1
    settings: RunSettings
    sources: tuple[SourceRef, ...]
    novel_against: tuple[str, ...] = ()
    """Runs whose admitted packages are no longer new."""
    novel_position: int = 0
    """The log position up to which those runs count."""


class RunStarted(RunFact):
    """The Planner has read and profiled the sources."""

    type: Literal["run.started"] = "run.started"
    schema_version: Literal[1] = 1
    recipe: str
    recipe_version: str
    sources: tuple[str, ...]
    """Digests of the sources, sorted."""
    profile: ArtifactRef
    """What the recipe mined from all sources together."""
    exports: dict[str, ArtifactRef] = Field(default_factory=dict)
    """JSON files that the run offers besides its packages, by name, such as `graph.json`."""


class RoundOpened(RunFact):
    """A round with a fixed number of slots begins."""

    type: Literal["round.opened"] = "round.opened"
    schema_version: Literal[1] = 1
    round: int
    slots: int


class BriefPlanned(RunFact):
    """The Planner ordered one package."""

    type: Literal["brief.planned"] = "brief.planned"
    schema_version: Literal[1] = 1
    brief: Brief


class PackageAdmitted(RunFact):
    """A revision passed every gate and every set-level check, and is out."""

    type: Literal["package.admitted"] = "package.admitted"
    schema_version: Literal[1] = 1
    package: str
    revision: str
    round: int
    ordinal: int
    number: int
    """Its place among the run's admitted packages, from 1."""
    fingerprint: tuple[str, ...] = ()
    """Novelty keys that later packages of this run may not share."""


class PackageRejected(RunFact):
    """A slot settled without an admission."""

    type: Literal["package.rejected"] = "package.rejected"
    schema_version: Literal[1] = 1
    package: str
    revision: str | None = None
    round: int
    ordinal: int
    reason: str


class RoundSettled(RunFact):
    """Every slot of a round is admitted or rejected."""

    type: Literal["round.settled"] = "round.settled"
    schema_version: Literal[1] = 1
    round: int
    admitted: int
    """Admitted in this round."""
    rejected: int
    total_admitted: int
    """Admitted in the run so far."""


class RunCompleted(RunFact):
    """The run ended: enough packages, no rounds left, or a round without an admission."""

    type: Literal["run.completed"] = "run.completed"
    schema_version: Literal[1] = 1
    admitted: int
    requested: int
    shortfall: int
    reason: Literal["enough", "max_rounds", "dry_round"]


class RunPaused(RunFact):
    """The run stopped and can be resumed."""

    type: Literal["run.paused"] = "run.paused"
    schema_version: Literal[1] = 1
    cause: Literal["user", "infrastructure", "outcome_unknown", "interrupted"]
    detail: str = ""


class RunResumed(RunFact):
    """The run goes on."""

    type: Literal["run.resumed"] = "run.resumed"
    schema_version: Literal[1] = 1


class RunFailed(RunFact):
    """The run cannot go on: its sources or settings are no good."""

    type: Literal["run.failed"] = "run.failed"
    schema_version: Literal[1] = 1
    reason: str


class RunForked(RunFact):
    """The run began from a point in another run's past: the first event of its stream."""

    type: Literal["run.forked"] = "run.forked"
    schema_version: Literal[1] = 1
    origin: str
    at: int
    """The log position up to which the origin counts: a round's boundary or a package's event."""
    set: dict[str, Any] = Field(default_factory=dict)
    """What a person set otherwise than the origin had it, by name."""
    event: str = ""
    """Id of the origin's event at that position."""
    settings: RunSettings | None = None
    """The settings of the run: those of the origin, with what was set."""
    sources: tuple[SourceRef, ...] = ()
    """The sources of the origin."""
    novel_against: tuple[str, ...] = ()
    """Runs whose admitted packages are no longer new, as for the origin."""
    novel_position: int = 0
    """The log position up to which those runs count."""


class PackageInherited(RunFact):
    """A forked run takes a slot over as its origin had settled it; nothing of it is done again."""

    type: Literal["package.inherited"] = "package.inherited"
    schema_version: Literal[1] = 1
    package: str
    """The package of the origin, with its own id and events."""
    round: int
    ordinal: int
    brief: Brief
    """The brief of the slot: that of the origin, which this run would have ordered as well."""
    revision: str | None = None
    ok: bool
    """Whether the package had all that admission asks for."""
    reasons: tuple[str, ...] = ()
    fingerprint: tuple[str, ...] = ()
    gate_set_digest: str = ""
    """Digest of the gates that it was tested with; empty where no package was built."""
    outcome: Literal["admitted", "rejected"]
    """How the slot was settled in the origin; admission settles it anew in this run."""
    origin_run: str
    """The run that made the package: its events hold gates, reviews, trials and verdicts."""
    event: str
    """Id of the origin's event that settled the slot."""
    candidate: str = ""
    """Id of the `package.candidate` that `ok` is taken from; empty where the slot was surplus."""


class DatasetExported(RunFact):
    """Packages or trajectories of the run were written in one of the field's formats."""

    type: Literal["dataset.exported"] = "dataset.exported"
    schema_version: Literal[1] = 1
    format: str
    manifest: ArtifactRef
