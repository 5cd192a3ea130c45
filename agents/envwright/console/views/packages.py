"""The packages of one run or of all, as JSON."""

from envwright.agents import Runtime
from envwright.events.canonical import Json


def packages_view(runtime: Runtime, run_id: str | None) -> dict[str, Json]:
    """Return packages with their lineage, in the order of their runs and slots."""
    rows = runtime.read_models.rows("packages", prefix=f"{run_id}/" if run_id else "")
    order = sorted(rows, key=lambda row: (row["run"], row["round"], row["ordinal"]))
    return {"run": run_id, "packages": order}
