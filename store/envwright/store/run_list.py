"""The list of runs: one row per run with its recipe, status and counts."""

import json
from collections.abc import Iterable, Mapping

from envwright.events import Envelope, Fact, Json, encode
from envwright.events.catalog import (
    PackageAdmitted,
    RunCompleted,
    RunFailed,
    RunForked,
    RunPaused,
    RunRequested,
    RunResumed,
    RunStarted,
)
from envwright.events.ports import ProjectionWrite

_STATUS: dict[type[Fact], str] = {
    RunStarted: "running",
    RunResumed: "running",
    RunPaused: "paused",
    RunCompleted: "completed",
    RunFailed: "failed",
}


class RunList:
    """Projection of the runs of a log, for listings; no handler reads it."""

    name = "runs"
    types = frozenset(
        {
            "run.requested",
            "run.forked",
            "run.started",
            "run.paused",
            "run.resumed",
            "run.completed",
            "run.failed",
            "package.admitted",
        }
    )

    def apply(self, envelope: Envelope, rows: Mapping[str, bytes]) -> Iterable[ProjectionWrite]:
        """Return the run's row after an event."""
        run = envelope.run_id
        before = json.loads(rows[run]) if run in rows else _new_row(run, envelope.position)
        after = _after(before, envelope.fact, rows)
        if after != before or run not in rows:
            yield ProjectionWrite(projection=self.name, key=run, value=encode(after))


def _new_row(run: str, position: int) -> dict[str, Json]:
    return {
        "run": run,
        "recipe": "",
        "status": "requested",
        "requested": 0,
        "admitted": 0,
        "position": position,
    }


def _after(row: dict[str, Json], fact: Fact, rows: Mapping[str, bytes]) -> dict[str, Json]:
    if isinstance(fact, RunRequested):
        return row | {"recipe": fact.settings.recipe, "requested": fact.settings.count}
    if isinstance(fact, RunForked) and fact.origin in rows:
        origin = json.loads(rows[fact.origin])
        return row | {name: origin[name] for name in ("recipe", "requested")}
    if isinstance(fact, PackageAdmitted):
        return row | {"admitted": fact.number}
    return row | {"status": _STATUS.get(type(fact), row["status"])}
