"""The page of `envwright packages`."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, short, table
from envwright.events.canonical import Json


def packages_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw the list of packages."""
    if not view["packages"]:
        yield body("no packages yet; `envwright synth SOURCE… --recipe R --count N` makes some")
        return
    rows = [_row(row, view["run"] is None) for row in view["packages"]]
    columns = ["@run", "@package", "#round", "#slot", "status", "#number", "#repairs"]
    yield table([*columns, "@revision", "reason", "from"], rows)


def _row(row: dict[str, Json], with_run: bool) -> tuple[object, ...]:
    made = row["revisions"][-1]["revision"] if row["revisions"] else ""
    origin = row["inherited_from"]
    return (
        row["run"] if with_run else "",
        row["package"],
        row["round"],
        row["ordinal"],
        row["status"],
        "" if row["number"] is None else row["number"],
        len(row["repairs"]) or "",
        short(row["revision"] or made),
        row["reason"],
        origin["run"] if origin else "",
    )
