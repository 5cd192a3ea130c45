"""The pages of dead letters."""

import json
from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, compact, heading, pairs, table
from envwright.events.canonical import Json

_ERROR = 200


def dead_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw what is parked, and what a broker holds that is no delivery."""
    yield from parked_part(view["parked"]) if view["parked"] else [body("nothing is parked")]
    if view["strays"]:
        yield heading("messages that are no delivery")
        yield table(
            ["@place", "#bytes", "error"],
            [
                (row["place"], row["bytes"], compact(row.get("error", ""), _ERROR))
                for row in view["strays"]
            ],
        )


def parked_part(rows: list[dict[str, Json]]) -> Iterator[RenderableType]:
    """Draw the deliveries that are parked; nothing where there are none."""
    if rows:
        yield heading("parked deliveries")
        yield table(
            ["@work", "role", "event", "stream", "#failures", "error"],
            [
                (
                    row["work"],
                    row["role"],
                    row["type"],
                    row["stream"],
                    row["failures"],
                    compact(row["error"], _ERROR),
                )
                for row in rows
            ],
        )


def letter_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw one of them with what it is about."""
    yield pairs([(name, value) for name, value in view.items() if name not in ("event", "value")])
    if view.get("event"):
        yield heading("event")
        yield body(json.dumps(view["event"], indent=2, ensure_ascii=False))
    if view.get("value"):
        yield heading("message")
        yield body(view["value"])
