"""The catalog: every fact that Envwright records, one frozen class per type."""

from typing import Annotated, get_args

from pydantic import Field

from envwright.events.catalog.attempt import AttemptFinished, AttemptStarted, TurnTaken
from envwright.events.catalog.fact import Fact, StreamKind
from envwright.events.catalog.package import (
    AttemptRequested,
    GateEvaluated,
    OperatorApplied,
    PackageAbandoned,
    PackageCandidate,
    PackageDrafted,
    PackageRetired,
    PackageRevised,
    RepairRequested,
    ReviewCompleted,
    TestingCompleted,
    TrialClosed,
    TrialOpened,
    VerdictReached,
)
from envwright.events.catalog.run import (
    BriefPlanned,
    DatasetExported,
    PackageAdmitted,
    PackageInherited,
    PackageRejected,
    RoundOpened,
    RoundSettled,
    RunCompleted,
    RunFailed,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
    RunStarted,
)
from envwright.events.catalog.source import SourceIngested, SourceProfiled
from envwright.events.catalog.work import (
    DeliveryParked,
    EffectClass,
    EffectCompleted,
    EffectRequested,
    EffectResolved,
    WorkClaimed,
    WorkExpired,
)

AnyFact = Annotated[
    SourceIngested
    | SourceProfiled
    | RunRequested
    | RunStarted
    | RoundOpened
    | BriefPlanned
    | PackageInherited
    | PackageAdmitted
    | PackageRejected
    | RoundSettled
    | RunCompleted
    | RunPaused
    | RunResumed
    | RunFailed
    | RunForked
    | DatasetExported
    | PackageDrafted
    | PackageRevised
    | PackageAbandoned
    | GateEvaluated
    | TestingCompleted
    | RepairRequested
    | ReviewCompleted
    | TrialOpened
    | AttemptRequested
    | VerdictReached
    | TrialClosed
    | PackageCandidate
    | PackageRetired
    | OperatorApplied
    | AttemptStarted
    | TurnTaken
    | AttemptFinished
    | WorkClaimed
    | WorkExpired
    | EffectRequested
    | EffectCompleted
    | EffectResolved
    | DeliveryParked,
    Field(discriminator="type"),
]
"""The discriminated union of all facts."""

FACTS: dict[str, type[Fact]] = {
    fact.model_fields["type"].default: fact for fact in get_args(get_args(AnyFact)[0])
}
"""Fact classes by event type."""

__all__ = [
    "FACTS",
    "AnyFact",
    "AttemptFinished",
    "AttemptRequested",
    "AttemptStarted",
    "BriefPlanned",
    "DatasetExported",
    "DeliveryParked",
    "EffectClass",
    "EffectCompleted",
    "EffectRequested",
    "EffectResolved",
    "Fact",
    "GateEvaluated",
    "OperatorApplied",
    "PackageAbandoned",
    "PackageAdmitted",
    "PackageCandidate",
    "PackageDrafted",
    "PackageInherited",
    "PackageRejected",
    "PackageRetired",
    "PackageRevised",
    "RepairRequested",
    "ReviewCompleted",
    "RoundOpened",
    "RoundSettled",
    "RunCompleted",
    "RunFailed",
    "RunForked",
    "RunPaused",
    "RunRequested",
    "RunResumed",
    "RunStarted",
    "SourceIngested",
    "SourceProfiled",
    "StreamKind",
    "TestingCompleted",
    "TrialClosed",
    "TrialOpened",
    "TurnTaken",
    "VerdictReached",
    "WorkClaimed",
    "WorkExpired",
]
