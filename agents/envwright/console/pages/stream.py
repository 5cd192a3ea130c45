"""The pages of an event, of a stream and of a piece of work."""

import json
from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, compact, heading, pairs, table, title
from envwright.events.canonical import Json

_VALUE_LIMIT = 120


def event_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw one event with its header, data and answers."""
    event = view["event"]
    yield title(event["type"], event["subject"], f"#{event['sequence']}")
    yield pairs([(name, value) for name, value in event.items() if name != "data"])
    yield heading("data")
    yield body(json.dumps(event["data"], indent=2, ensure_ascii=False))
    if view["answers"]:
        yield heading("answered by")
        yield table(
            ["@event", "type", "stream", "#position"],
            [
                (row["event"], row["type"], row["stream"], row["position"])
                for row in view["answers"]
            ],
        )


def stream_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw the events of a stream."""
    yield title(view["stream"], f"{view['version']} events")
    yield _events(view)


def work_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw what happened to a piece of work."""
    yield title(view["work"], view["state"] or "never claimed")
    yield _events(view)


def _events(view: dict[str, Json]) -> RenderableType:
    return table(
        ["#position", "type", "data"],
        [
            (event["position"], event["type"], compact(event["data"], _VALUE_LIMIT))
            for event in view["events"]
        ],
    )
