"""The first line of a page that shows something as it was."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from envwright.console.pages.layout import plain
from envwright.events.canonical import Json


def moment_part(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Say at which position the view is; nothing where it is of now."""
    moment = view.get("at")
    if moment:
        day, _, time = plain(moment["recorded_at"]).partition("T")
        yield Text(
            f"as of position {moment['position']} of {moment['head']}, {day} {time[:8]}",
            style="yellow",
        )
