"""The page of a replay."""

import json
from collections.abc import Iterator
from difflib import unified_diff

from rich.console import RenderableType

from envwright.console.pages.layout import body, heading, pairs, title
from envwright.events.canonical import Json

_COMPARED = {
    "state": "events",
    "execution": "gate verdicts, turns and states",
    "decision": "deliveries",
}


def replay_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw how much was compared, and the first divergence, or all of them, as diffs."""
    first = view["diverged"]
    found = view.get("divergences", [] if first is None else [first])
    yield title(view["run"], f"replay of {view['level']}")
    yield pairs(
        [
            ("compared", f"{view['compared']} {_COMPARED[view['level']]}"),
            ("in it", _counts(view["counts"])),
            ("result", "all the same" if first is None else "diverged"),
            ("divergences", str(len(found)) if "divergences" in view else ""),
        ]
    )
    for number, divergence in enumerate(found, start=1):
        yield heading("first divergence" if number == 1 else f"divergence {number}")
        yield from _drawn(divergence)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())


def _drawn(divergence: dict[str, Json]) -> Iterator[RenderableType]:
    delivery = divergence.get("delivery") or {}
    yield pairs(
        [
            ("at event", divergence["event"]),
            ("by", delivery.get("role", "")),
            ("in answer to", " ".join(delivery[name] for name in _CAUSE) if delivery else ""),
            ("work", delivery.get("work", "")),
        ]
    )
    if divergence["kind"] == "nondeterminism":
        yield body(f"{divergence['actual']}\nexpected was {divergence['expected']}")
    else:
        yield body("\n".join(_diff(divergence["expected"], divergence["actual"])))


_CAUSE = ("cause_type", "cause")


def _diff(expected: Json, actual: Json) -> Iterator[str]:
    yield from unified_diff(
        _lines(expected), _lines(actual), "recorded", "replayed", lineterm="", n=2
    )


def _lines(value: Json) -> list[str]:
    text = value if isinstance(value, str) else json.dumps(value, indent=2, sort_keys=True)
    return text.splitlines()
