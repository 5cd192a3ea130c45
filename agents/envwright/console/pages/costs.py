"""The page of `envwright costs`."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, table
from envwright.events.canonical import Json


def costs_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw what each stage cost, and the sum."""
    if not view["stages"]:
        yield body("nothing was done yet")
        return
    columns = ["stage", "#works", "#claims", "#seconds", "#longest", "#effects"]
    yield table(
        [*columns, "#tokens in", "#cached", "#tokens out"],
        [_row(row["stage"], row) for row in view["stages"]] + [_row("all", view["total"])],
    )


def _row(name: str, row: dict[str, Json]) -> tuple[object, ...]:
    tokens = (row["input_tokens"], row["cached_tokens"], row["output_tokens"])
    return (
        name,
        row["works"],
        row["claims"],
        float(row["seconds"]),
        float(row["longest"]),
        sum(row["effects"].values()) or "",
        *(count or "" for count in tokens),
    )
