"""The waterfall: a trace as one HTML page, a row a span, its bar where and as long as it ran."""

from collections.abc import Iterator

from envwright.agents import conventions as names
from envwright.console.report.charts import label, line, svg
from envwright.console.report.document import framed
from envwright.console.report.markup import Markup, tag
from envwright.events.canonical import Json

_LABELS = 430
_BARS = 560
_VALUE = 90
_ROW = 20
_INDENT = 12
_NAME = 54
_TICKS = 4
_BAD = ("error", "killed")

Row = dict[str, Json]


def trace_document(view: Row) -> str:
    """Return the page of a trace, from the JSON that `trace ID --json` prints."""
    rows = [placed for root in view["roots"] for placed in _rows(root)]
    figures = [
        (f"{view['seconds']:.2f} s", "from first to last"),
        (str(view["spans"]), f"spans of {view['processes']} processes"),
        (str(view["errors"]), "errors"),
        (str(view["killed"]), "tries that were killed"),
        (str(view["input_tokens"] + view["output_tokens"]), "tokens"),
    ]
    body = tag(
        "main",
        tag("h1", f"Trace of {view['kind']} {view['id']}"),
        tag("div", tag("code", view["run"]), f" from {view['started_at']}", class_="soft"),
        tag("ul", *(_tile(*figure) for figure in figures), class_="tiles"),
        tag("section", tag("div", _picture(view, rows), class_="scroll")),
    )
    return framed(f"trace of {view['id']}", body)


def _tile(figure: str, words: str) -> Markup:
    return tag("li", tag("b", figure), tag("span", words))


def _rows(root: Row) -> Iterator[tuple[int, Row]]:
    pending = [(0, root)]
    while pending:
        depth, row = pending.pop()
        yield depth, row
        pending.extend((depth + 1, child) for child in reversed(row["children"]))


def _picture(view: Row, rows: list[tuple[int, Row]]) -> Markup:
    whole = max(view["seconds"], 1e-6)
    height = (len(rows) + 2) * _ROW
    parts: list[Markup] = []
    for tick in range(_TICKS + 1):
        across = _LABELS + _BARS * tick / _TICKS
        parts.append(line(across, _ROW, across, height, "grid"))
        parts.append(label(across, _ROW / 2, f"{whole * tick / _TICKS:.2f} s", "middle", "muted"))
    for place, (depth, row) in enumerate(rows, start=1):
        parts += _bar(row, depth, (place + 0.5) * _ROW, whole)
    words = f"{len(rows)} spans in {whole:.3f} seconds"
    return svg("Waterfall", words, _LABELS + _BARS + _VALUE, height, *parts)


def _bar(row: Row, depth: int, middle: float, whole: float) -> list[Markup]:
    left = _LABELS + _BARS * row["at"] / whole
    seconds = row["seconds"] or 0.0
    length = max(_BARS * seconds / whole, 1.5)
    name = row["name"] if len(row["name"]) <= _NAME else f"{row['name'][: _NAME - 1]}…"
    bad = row["state"] in _BAD
    return [
        label(min(depth * _INDENT, _LABELS / 2), middle, name, "start"),
        tag(
            "rect",
            tag("title", _told(row)),
            x=f"{left:.1f}", y=f"{middle - 6:.1f}", width=f"{length:.1f}", height=12, rx=2,
            class_="bar", style="fill:var(--bad)" if bad else _colour(row),
        ),
        label(left + length + 5, middle, _value(row), "start", "muted"),
    ]  # fmt: skip


def _colour(row: Row) -> str | None:
    about = row["attributes"]
    if names.REQUEST_MODEL in about:
        return "fill:var(--c4)"
    if names.GATE_ID in about:
        return "fill:var(--c3)"
    return "fill:var(--c8)" if row["answers"] else None


def _value(row: Row) -> str:
    took = "?" if row["seconds"] is None else f"{1000 * row['seconds']:.0f} ms"
    return took if row["state"] == "ok" else f"{took} {row['state']}"


def _told(row: Row) -> str:
    """Return what a reader sees who points at a bar."""
    parts = [row["name"], f"span {row['span']}", f"{row['state']} {row['error']}".strip()]
    if row["process"]:
        parts.append(f"process {row['process']}")
    if row["answers"]:
        parts.append(f"answers event {row['answers']}")
    parts += [f"wrote {event['type']} {event['event']}" for event in row["events"]]
    parts += [f"linked to {link['span']} ({link['why']})" for link in row["links"]]
    return "\n".join(parts)
