"""The page of an audit."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import body, heading, pairs, table, title
from envwright.console.views.audit import CHECKS, verdict
from envwright.events.canonical import Json


def audit_page(found: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw the verdict, the checks, and each failure with its place."""
    yield title(found["run"] or "the whole home", "audit")
    yield pairs(
        [
            ("verdict", "sound" if found["ok"] else "failed"),
            ("in words", verdict(found)),
            ("log", found["log"]),
            ("events", found["events"]),
            ("anchored to position", found["anchored_to"]),
            ("unanchored events", found["unanchored"]),
            ("anchors", found["anchors"]["place"]),
            ("keys trusted", ", ".join(found["keys"])),
        ]
    )
    yield heading("checks")
    rows = [
        (name, "pass" if check["ok"] else "fail", check["checked"], check["failed"], CHECKS[name])
        for name, check in found["checks"].items()
    ]
    yield table(["check", "verdict", "#checked", "#failed", "what it asks"], rows)
    for name, check in found["checks"].items():
        if not check["ok"]:
            yield heading(f"{name}: {check['failed']} failed")
            yield from _failures(check["failures"])
    unknown = found["checks"]["effects"]["unknown"]
    if unknown:
        yield heading("effects of unknown outcome")
        yield table(
            ["@event", "#position", "kind", "class"],
            [(row["event"], row["position"], row["kind"], row["class"]) for row in unknown],
        )


def _failures(failures: list[dict[str, Json]]) -> Iterator[RenderableType]:
    for failure in failures:
        yield body(
            f"{failure['event']} at position {failure['position']}\n"
            f"  expected {failure['expected']}\n  found    {failure['found']}"
        )
