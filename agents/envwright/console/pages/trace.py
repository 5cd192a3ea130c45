"""The page of `envwright trace`: the span tree, one line a span."""

from collections import Counter
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from envwright.agents import conventions as names
from envwright.console.pages.layout import body, pairs, plain, title
from envwright.events.canonical import Json

_STATES = {"error": "red", "killed": "red", "unrecorded": "yellow", "running": "yellow"}
_INDENT = "  "
_EVENTS = 4
"""Types of events that a line names."""

Row = dict[str, Json]


def trace_page(view: Row, *, every_span: bool = True) -> Iterator[RenderableType]:
    """Draw the trees; without `every_span`, calls of one kind are one line."""
    yield title(view["id"], view["kind"], f"of {view['run']}")
    tokens = view["input_tokens"] + view["output_tokens"]
    yield pairs(
        [
            ("started at", view["started_at"]),
            ("seconds", f"{view['seconds']:.3f}"),
            ("spans", f"{view['spans']} of {view['processes']} processes"),
            ("errors", view["errors"] or ""),
            ("refused", f"{view['refused']} calls of tools" if view["refused"] else ""),
            ("killed", f"{view['killed']} tries" if view["killed"] else ""),
            ("tokens", f"{view['input_tokens']} in, {view['output_tokens']} out" if tokens else ""),
            ("skipped", f"{view['skipped_lines']} torn lines" if view["skipped_lines"] else ""),
        ]
    )
    yield Text("")
    for root in view["roots"]:
        yield from map(_line, _lines(root, every_span))
    if view["unrecorded"]:
        yield body(f"\nof {view['unrecorded']} deliveries the log knows more than the span files")
    if not every_span:
        yield body("\n`--all` shows each call; `envwright show EVENT` shows an event")


def _lines(root: Row, every_span: bool) -> Iterator[tuple[int, Row]]:
    """Yield depth and span, a delivery and its agent on one line, a parent before its children."""
    pending = [(0, root)]
    while pending:
        depth, row = pending.pop()
        agent = _only_agent(row)
        shown = _joined(row, agent) if agent else row
        yield depth, shown
        children = shown["children"]
        if not every_span:
            children = _grouped(children)
        pending.extend((depth + 1, child) for child in reversed(children))


def _only_agent(row: Row) -> Row | None:
    """Return the agent of a delivery, where it is all that hangs below it."""
    if row["answers"] is None or len(row["children"]) != 1:
        return None
    child: Row = row["children"][0]
    return child if names.AGENT_NAME in child["attributes"] else None


def _joined(delivery: Row, agent: Row) -> Row:
    return {
        **delivery,
        "name": f"{agent['attributes'][names.AGENT_NAME]}: {delivery['name']}",
        "events": delivery["events"] + agent["events"],
        "children": agent["children"],
    }


def _grouped(children: list[Row]) -> list[Row]:
    """Join the calls of a world's tools into one line, which stands where the first stood."""
    calls = [child for child in children if _is_call(child)]
    if len(calls) < 2:
        return children
    refused = sum(call["state"] == "error" for call in calls)
    many = {
        **calls[0],
        "name": f"{len(calls)} calls of {len({call['name'] for call in calls})} tools"
        + (f", {refused} refused" if refused else ""),
        "state": "ok",
        "seconds": sum(call["seconds"] or 0.0 for call in calls),
        "span": "",
        "attributes": {},
    }
    rest = [child for child in children if not _is_call(child)]
    return sorted([many, *rest], key=lambda row: row["at"])


def _is_call(row: Row) -> bool:
    about = row["attributes"]
    return (
        about.get(names.OPERATION_NAME) == names.EXECUTE_TOOL
        and names.GATE_ID not in about
        and row["state"] in ("ok", "error")
        and not row["children"]
    )


def _line(placed: tuple[int, Row]) -> RenderableType:
    depth, row = placed
    line = Text(f"  {_INDENT * depth}", no_wrap=True, overflow="ignore")
    line.append(plain(row["name"]), style="bold" if row["answers"] else "")
    line.append(f"  {_duration(row['seconds'])}", style="dim")
    if row["state"] != "ok":
        line.append(f"  {row['state']} {row['error']}".rstrip(), style=_STATES[row["state"]])
    for label in _labels(row):
        line.append(f"  {label}", style="cyan")
    if row["events"]:
        line.append(f"  → {_events(row['events'])}", style="green")
    line.append(f"  {row['span']}", style="dim")
    return line


def _duration(seconds: float | None) -> str:
    if seconds is None:
        return "?"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _labels(row: Row) -> Iterator[str]:
    about = row["attributes"]
    if names.EVALUATION_LABEL in about:
        yield str(about[names.EVALUATION_LABEL])
    if row["input_tokens"] or row["output_tokens"]:
        yield f"{row['input_tokens']}+{row['output_tokens']} tokens"
    if row["answers"] and about.get(names.CLAIM_TOKEN, 1) > 1:
        earlier = [link["span"] for link in row["links"] if link["why"] == names.EARLIER_TRY]
        yield f"claim {about[names.CLAIM_TOKEN]}, after {', '.join(earlier)}"


def _events(events: list[Row]) -> str:
    """Name a span's events: types with their positions, by which `events --after` finds them."""
    counts = Counter(event["type"] for event in events)
    first = {event["type"]: event["position"] for event in reversed(events)}
    parts = [
        f"{kind} #{first[kind]}" + (f" (+{count - 1})" if count > 1 else "")
        for kind, count in list(counts.items())[:_EVENTS]
    ]
    return ", ".join(parts) + (" …" if len(counts) > _EVENTS else "")
