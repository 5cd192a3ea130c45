"""The list of runs, as JSON."""

from envwright.agents import Runtime
from envwright.events.canonical import Json


def runs_view(runtime: Runtime) -> dict[str, Json]:
    """Return every run of the home, newest first."""
    requests = list(runtime.log.read_all(types=("run.requested",)))
    return {"runs": [_run(runtime, envelope.run_id) for envelope in reversed(requests)]}


def _run(runtime: Runtime, run_id: str) -> dict[str, Json]:
    state = runtime.run_state(run_id)
    assert state.requested is not None
    first = next(iter(runtime.log.read(f"run/{run_id}", up_to=1)))
    settings = state.requested.settings
    return {
        "run": run_id,
        "recipe": settings.recipe,
        "status": state.status,
        "admitted": len(state.admitted),
        "requested": settings.count,
        "seed": settings.seed,
        "round": state.round,
        "workers": runtime.leases.held(run_id),
        "sources": [source.name for source in state.requested.sources],
        "requested_at": first.recorded_at,
    }
