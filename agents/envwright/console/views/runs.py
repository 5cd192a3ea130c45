"""The list of runs, as JSON."""

from collections.abc import Iterator

from envwright.agents import Runtime, fold_run, is_past
from envwright.events.canonical import Json
from envwright.events.catalog import PackageRejected


def runs_view(runtime: Runtime) -> dict[str, Json]:
    """Return every run of the home, newest first, with how many workers hold work of it."""
    if is_past(runtime):
        return {"runs": list(_folded(runtime))}
    rows = runtime.read_models.rows("run-list")
    newest_first = sorted(rows, key=lambda row: -row["position"])
    return {"runs": [row | {"workers": runtime.leases.held(row["run"])} for row in newest_first]}


def _folded(runtime: Runtime) -> Iterator[dict[str, Json]]:
    """Yield the rows of the list as they were: read models and leases keep no past."""
    begun = [
        (first.run_id, first.recorded_at, first.position)
        for first in runtime.log.read_all(types=("run.requested", "run.forked"))
    ]
    for run_id, recorded_at, position in reversed(begun):
        # Not through the runtime, which would keep the state of every run in memory.
        state = fold_run(runtime.log.read(f"run/{run_id}"))
        asked = state.requested
        outcomes = state.outcomes.values()
        yield {
            "run": run_id,
            "recipe": asked.settings.recipe if asked else "",
            "seed": asked.settings.seed if asked else 0,
            "status": state.status,
            "round": state.round,
            "planned": len(state.briefs),
            "admitted": len(state.admitted),
            "rejected": sum(isinstance(outcome, PackageRejected) for outcome in outcomes),
            "requested": asked.settings.count if asked else 0,
            "sources": [source.name for source in asked.sources] if asked else [],
            "origin": state.forked.origin if state.forked else None,
            "requested_at": recorded_at,
            "position": position,
            "workers": None,
        }
