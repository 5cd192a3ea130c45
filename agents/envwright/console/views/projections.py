"""The projections of a home, as JSON: how far each has come, and why one stands still."""

from envwright.agents import Runtime
from envwright.events.canonical import Json
from envwright.events.ports import ProjectionState


def projections_view(runtime: Runtime) -> dict[str, Json]:
    """Return the state of every projection as it is, without catching any up."""
    return {"projections": [_projection(state) for state in runtime.read_models.states()]}


def _projection(state: ProjectionState) -> dict[str, Json]:
    row: dict[str, Json] = state.model_dump(mode="json")
    return row | {"state": "parked" if state.parked else "live"}
