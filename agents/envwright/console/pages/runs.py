"""The page of `envwright runs`."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, table
from envwright.events.canonical import Json

_ACTIVE = ("requested", "running")


def runs_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw the list of runs."""
    if not view["runs"]:
        yield body("no runs yet; `envwright synth SOURCE… --recipe R --count N` starts one")
        return
    yield table(
        [
            "@run",
            "recipe",
            "#seed",
            "status",
            "#admitted",
            "requested at",
            "sources",
            "@forked from",
        ],
        [
            (
                run["run"],
                run["recipe"],
                run["seed"],
                run["status"],
                f"{run['admitted']}/{run['requested']}",
                run["requested_at"][:16].replace("T", " "),
                ", ".join(run["sources"]),
                run["origin"] or "",
            )
            for run in view["runs"]
        ],
    )
    alone = [run for run in view["runs"] if run["status"] in _ACTIVE and run["workers"] == 0]
    if alone:
        yield body("\na run that is running and has no worker goes on with: envwright resume RUN")
