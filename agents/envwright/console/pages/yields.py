"""The page of `envwright yields`."""

from collections.abc import Iterator

from rich.console import RenderableType

from envwright.console.pages.layout import bars, body, heading, table, title
from envwright.events.canonical import Json


def yields_page(view: dict[str, Json]) -> Iterator[RenderableType]:
    """Draw the yield of each run: rounds, reasons and gates."""
    if not view["yields"]:
        yield body("no round was opened yet")
    for place, found in enumerate(view["yields"]):
        if place:
            yield body("")
        yield from _yield(found)


def _yield(found: dict[str, Json]) -> Iterator[RenderableType]:
    yield title(found["run"], f"{found['admitted']} admitted of {found['slots']} slots")
    yield table(
        ["#round", "#slots", "#inherited", "#admitted", "#rejected", "settled"],
        [
            (
                row["round"],
                row["slots"],
                row["inherited"] or "",
                row["admitted"],
                sum(row["rejected"].values()),
                "yes" if row["settled"] else "no",
            )
            for row in found["rounds"]
        ],
    )
    if found["rejected"]:
        yield heading("rejected")
        yield bars(list(found["rejected"].items()))
    if found["gates"]:
        yield heading("gates")
        yield table(
            ["gate", "#pass", "#fail", "#error", "reasons"],
            [_gate(gate, row) for gate, row in found["gates"].items()],
        )


def _gate(gate: str, row: dict[str, Json]) -> tuple[object, ...]:
    verdicts = row["verdicts"]
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(row["reasons"].items()))
    return (gate, *(verdicts.get(name, "") for name in ("pass", "fail", "error")), reasons)
