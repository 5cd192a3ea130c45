"""The page of `envwright doctor`."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, heading, pairs, table
from envwright.events.canonical import Json

_WORDS = {True: "yes", False: "no", None: "off"}


def doctor_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw what a machine can do, then the commands that mend what is missing."""
    yield table(
        ["", "what", "found", "needed for"],
        [
            (_WORDS[row["ok"]], row["name"], row["found"], row["needed_for"])
            for row in view["findings"]
        ],
    )
    missing = [row for row in view["findings"] if not row["ok"] and row["fix"]]
    if missing:
        yield heading("what would bring the rest")
        yield pairs([(row["name"], row["fix"]) for row in missing])
    else:
        yield body("\nnothing is missing")
