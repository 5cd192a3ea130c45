"""The page of a replay."""

import json
from collections.abc import Iterator
from difflib import unified_diff

from rich.console import RenderableType

from envwright.console.pages.layout import body, heading, pairs, title
from envwright.events.canonical import Json

_COMPARED = {"state": "events", "execution": "gate verdicts, turns and states"}


def replay_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw how much was compared, and the first divergence as a diff."""
    diverged = view["diverged"]
    yield title(view["run"], f"replay of {view['level']}")
    yield pairs(
        [
            ("compared", f"{view['compared']} {_COMPARED[view['level']]}"),
            ("result", "all the same" if diverged is None else "diverged"),
            ("at event", diverged["event"] if diverged else ""),
        ]
    )
    if diverged is not None:
        yield heading("first divergence")
        yield body("\n".join(_diff(diverged["expected"], diverged["actual"])))


def _diff(expected: Json, actual: Json) -> Iterator[str]:
    yield from unified_diff(
        _lines(expected), _lines(actual), "recorded", "replayed", lineterm="", n=2
    )


def _lines(value: Json) -> list[str]:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, sort_keys=True)
    return text.splitlines()
