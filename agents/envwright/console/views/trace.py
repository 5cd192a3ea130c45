"""A trace as JSON: nested spans with durations, tokens, errors, and their events."""

from datetime import UTC, datetime

from envwright.agents import conventions as names
from envwright.agents.span_tree import Node
from envwright.agents.traces import Trace
from envwright.events.canonical import Json

_SHOWN_ELSEWHERE = {names.EVENT_ID, names.EVENTS_WRITTEN, names.ERROR_TYPE}

Row = dict[str, Json]


def trace_view(trace: Trace) -> Row:
    """Return the span trees and what they sum up to."""
    nodes = list(trace.nodes())
    begun = min((node.start for node in nodes), default=0)
    ended = max((node.end or node.start for node in nodes), default=0)
    return {
        "kind": trace.kind,
        "id": trace.id,
        "run": trace.run,
        "started_at": _moment(begun) if nodes else None,
        "seconds": _seconds((ended - begun) / 1e9),
        "spans": len(nodes),
        "errors": sum(node.state == "error" and node.error != names.TOOL_ERROR for node in nodes),
        "refused": sum(node.error == names.TOOL_ERROR for node in nodes),
        "killed": sum(node.is_delivery and node.state == "killed" for node in nodes),
        "unrecorded": sum(node.is_delivery and node.state == "unrecorded" for node in nodes),
        "skipped_lines": trace.skipped,
        "input_tokens": sum(node.tokens[0] for node in nodes),
        "output_tokens": sum(node.tokens[1] for node in nodes),
        "processes": len({node.instance for node in nodes} - {""}),
        "roots": [_node(root, begun) for root in trace.roots],
    }


def _node(root: Node, begun: int) -> Row:
    """Return a span with all below it; a loop, since chains of events are deep."""
    rows = {id(node): _row(node, begun) for node in root.walk()}
    for node in root.walk():
        rows[id(node)]["children"] = [rows[id(child)] for child in node.children]
    return rows[id(root)]


def _row(node: Node, begun: int) -> Row:
    return {
        "span": node.span,
        "trace": node.trace,
        "parent": node.parent,
        "name": node.name,
        "state": node.state,
        "error": node.error,
        "at": _seconds((node.start - begun) / 1e9),
        "seconds": None if node.seconds is None else _seconds(node.seconds),
        "input_tokens": node.tokens[0],
        "output_tokens": node.tokens[1],
        "process": node.instance,
        "answers": node.cause,
        "events": [
            {"event": each.id, "type": each.type, "position": each.position} for each in node.events
        ],
        "links": [{"why": why, "span": span} for why, span in node.links],
        "attributes": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in sorted(node.attributes.items())
            if name not in _SHOWN_ELSEWHERE
        },
    }


def _seconds(value: float) -> float:
    return round(value, 6)


def _moment(nanoseconds: int) -> str:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC).isoformat(timespec="milliseconds")
