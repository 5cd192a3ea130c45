"""The page of an artifact."""

import json
from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, heading, pairs, table, title
from envwright.events.canonical import Json

_LIMIT = 20_000
"""Characters of content that a page shows; `--json` gives all."""


def artifact_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw an artifact."""
    yield title(view["artifact"], view["kind"], f"{view['size']} bytes")
    rows = [(row["type"], row["stream"], row["position"]) for row in view["named_by"]]
    yield heading(f"named by {view['named_by_total']} events")
    if rows:
        yield table(["event", "stream", "#position"], rows)
    yield heading("content")
    content = view["content"]
    text = content if isinstance(content, str) else json.dumps(content, indent=2)
    yield body(text[:_LIMIT])
    if len(text) > _LIMIT:
        yield pairs([("", f"… {len(text) - _LIMIT} more characters; --json gives all")])
