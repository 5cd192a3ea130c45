"""The page of `envwright projections`."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, table
from envwright.events.canonical import Json


def projections_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw where each projection stands, and how one that is parked goes on."""
    yield table(
        ["projection", "state", "#position", "#behind", "error"],
        [
            (
                row["name"],
                row["state"],
                row["position"],
                row["lag"],
                row["parked"]["error"] if row["parked"] else "",
            )
            for row in view["projections"]
        ],
    )
    if any(row["parked"] for row in view["projections"]):
        yield body(
            "\na parked projection goes on after: envwright projections --rebuild NAME"
            "\n(`envwright show EVENT` shows the event that it could not fold)"
        )
