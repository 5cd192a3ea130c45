"""The packages of each run, with their lineage: revisions, repairs, origin and fate."""

from typing import ClassVar

from envwright.events import Envelope, Fact
from envwright.events.catalog import (
    BriefPlanned,
    PackageAbandoned,
    PackageAdmitted,
    PackageCandidate,
    PackageDrafted,
    PackageInherited,
    PackageRejected,
    PackageRetired,
    PackageRevised,
    RepairRequested,
    ReviewCompleted,
)
from envwright.events.catalog.package import PackageFact
from envwright.store.projections import KeptRows
from envwright.store.readmodels.row_fold import Row, RowFold


class Packages(RowFold):
    """One row a package, by `<run>/<package>`."""

    name: ClassVar[str] = "packages"
    types: ClassVar[frozenset[str]] = frozenset(
        {
            "brief.planned",
            "package.inherited",
            "package.drafted",
            "package.revised",
            "package.abandoned",
            "repair.requested",
            "review.completed",
            "package.candidate",
            "package.admitted",
            "package.rejected",
            "package.retired",
        }
    )

    def key(self, envelope: Envelope) -> str:
        """Return run and package."""
        return f"{envelope.run_id}/{_package(envelope.fact)}"

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row:
        """Return the package's row after an event."""
        known = _new_row(envelope) if row is None else row
        match envelope.fact:
            case BriefPlanned() as fact:
                brief = fact.brief
                place = {"round": brief.round, "ordinal": brief.ordinal}
                return known | place | {"recipe": brief.recipe, "status": "planned"}
            case PackageInherited() as fact:
                return known | _inherited(fact)
            case PackageDrafted() | PackageRevised() as fact:
                revisions = [*known["revisions"], _revision(fact)]
                return known | {"revisions": revisions, "status": "drafted"}
            case RepairRequested() as fact:
                asked = {"artifact": fact.artifact, "reason": fact.reason}
                return known | {"repairs": [*known["repairs"], asked], "status": "in repair"}
            case ReviewCompleted() as fact:
                return known | {"status": "reviewed" if fact.outcome == "pass" else "turned down"}
            case fact:
                return known | _fate(fact)


def _new_row(envelope: Envelope) -> Row:
    return {
        "package": _package(envelope.fact),
        "run": envelope.run_id,
        "recipe": "",
        "round": 0,
        "ordinal": 0,
        "status": "",
        "reason": "",
        "number": None,
        "revision": None,
        "inherited_from": None,
        "revisions": [],
        "repairs": [],
        "position": envelope.position,
    }


def _package(fact: Fact) -> str:
    match fact:
        case BriefPlanned():
            return fact.brief.package
        case PackageFact() | PackageInherited() | PackageAdmitted() | PackageRejected():
            return fact.package
        case _:
            raise TypeError(f"{fact} is about no package")


def _inherited(fact: PackageInherited) -> Row:
    return {
        "round": fact.round,
        "ordinal": fact.ordinal,
        "recipe": fact.brief.recipe,
        "status": "inherited",
        "reason": "; ".join(fact.reasons),
        "inherited_from": {"run": fact.origin_run, "event": fact.event, "outcome": fact.outcome},
    }


def _revision(fact: PackageDrafted | PackageRevised) -> Row:
    revised = fact if isinstance(fact, PackageRevised) else None
    return {
        "revision": fact.revision,
        "repair_round": fact.repair_round,
        "parent": revised.parent if revised else None,
        "artifact": revised.artifact if revised else None,
    }


def _fate(fact: Fact) -> Row:
    """Return what an event decides about a package."""
    match fact:
        case PackageAbandoned():
            return {"status": "abandoned", "reason": fact.reason}
        case PackageCandidate():
            return {"status": "candidate", "reason": "; ".join(fact.reasons)}
        case PackageAdmitted():
            place = {"round": fact.round, "ordinal": fact.ordinal, "number": fact.number}
            return place | {"status": "admitted", "revision": fact.revision, "reason": ""}
        case PackageRejected():
            place = {"round": fact.round, "ordinal": fact.ordinal}
            return place | {"status": "rejected", "reason": fact.reason}
        case PackageRetired():
            return {"status": "retired", "reason": fact.reason}
        case _:
            return {}
