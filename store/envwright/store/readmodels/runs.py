"""The list of runs: one row a run with what was asked for, its status and its counts."""

import json
from typing import ClassVar

from envwright.events import Envelope, Fact
from envwright.events.catalog import (
    BriefPlanned,
    PackageAdmitted,
    PackageInherited,
    PackageRejected,
    RoundOpened,
    RunCompleted,
    RunFailed,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
)
from envwright.events.values import RunSettings, SourceRef
from envwright.store.projections import KeptRows
from envwright.store.readmodels.row_fold import Row, RowFold

_OVER = ("completed", "failed")
_ASKED = ("recipe", "seed", "requested", "sources")


class Runs(RowFold):
    """One row a run, by its id."""

    name: ClassVar[str] = "run-list"
    types: ClassVar[frozenset[str]] = frozenset(
        {
            "run.requested",
            "run.forked",
            "round.opened",
            "brief.planned",
            "package.inherited",
            "package.admitted",
            "package.rejected",
            "run.paused",
            "run.resumed",
            "run.completed",
            "run.failed",
        }
    )

    def key(self, envelope: Envelope) -> str:
        """Return the run."""
        return envelope.run_id

    def fold(self, row: Row | None, envelope: Envelope, rows: KeptRows) -> Row:
        """Return the run's row after an event."""
        known = _new_row(envelope) if row is None else row
        match envelope.fact:
            case RunRequested() as fact:
                return known | _asked(fact.settings, fact.sources)
            case RunForked() as fact:
                return known | _inherited(fact, rows.get(fact.origin))
            case RoundOpened() as fact:
                status = "running" if known["status"] == "requested" else known["status"]
                return known | {"round": fact.round, "status": status}
            case BriefPlanned() | PackageInherited():
                return known | {"planned": known["planned"] + 1}
            case PackageAdmitted():
                return known | {"admitted": known["admitted"] + 1}
            case PackageRejected():
                return known | {"rejected": known["rejected"] + 1}
            case fact:
                return known | {"status": _status(known, fact)}


def _new_row(envelope: Envelope) -> Row:
    return {
        "run": envelope.run_id,
        "recipe": "",
        "seed": 0,
        "status": "requested",
        "round": 0,
        "planned": 0,
        "admitted": 0,
        "rejected": 0,
        "requested": 0,
        "sources": [],
        "origin": None,
        "requested_at": envelope.recorded_at,
        "position": envelope.position,
    }


def _asked(settings: RunSettings, sources: tuple[SourceRef, ...]) -> Row:
    return {
        "recipe": settings.recipe,
        "seed": settings.seed,
        "requested": settings.count,
        "sources": [source.name for source in sources],
    }


def _inherited(fact: RunForked, origin: bytes | None) -> Row:
    """Return where a fork comes from, and what its origin asked for where it does not say."""
    if fact.settings is not None:
        return {"origin": fact.origin, **_asked(fact.settings, fact.sources)}
    asked = {} if origin is None else json.loads(origin)
    return {"origin": fact.origin, **{name: asked[name] for name in _ASKED if name in asked}}


def _status(row: Row, fact: Fact) -> str:
    """Return the status after a turning point; what is over stays so."""
    match fact:
        case RunCompleted():
            return "completed"
        case RunFailed():
            return "failed"
        case RunPaused() if row["status"] not in _OVER:
            return "paused"
        case RunResumed() if row["status"] not in _OVER:
            return "running" if row["round"] else "requested"
        case _:
            return str(row["status"])
