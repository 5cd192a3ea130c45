"""The span tree: spans of many processes below one another, with the events written in each.

process brief.planned          answers event …, wrote nothing itself
└── invoke_agent builder       wrote package.drafted …
    └── process package.drafted
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from envwright.agents import conventions as names
from envwright.events.envelope import Envelope

State = Literal["ok", "error", "killed", "unrecorded", "running"]

_ERROR = 2
"""OTLP's code for a span that failed."""


@dataclass
class Node:
    """A span, or what is known of one that was never written."""

    span: str
    """Span id, 16 hex digits."""
    trace: str
    parent: str | None
    name: str
    start: int
    """Nanoseconds since 1970, as are all times here."""
    end: int | None
    state: State
    error: str = ""
    instance: str = ""
    """The process that the span is of."""
    attributes: Mapping[str, Any] = field(default_factory=dict)
    links: tuple[tuple[str, str], ...] = ()
    """Why it is linked (the cause, an earlier try), and the other span."""
    events: list[Envelope] = field(default_factory=list)
    """Events that were written in it, as the log tells."""
    children: list["Node"] = field(default_factory=list)

    @property
    def cause(self) -> str | None:
        """The event that a delivery's span answers."""
        return self.attributes.get(names.EVENT_ID)

    @property
    def is_delivery(self) -> bool:
        """Say whether it is the span of a delivery."""
        return self.cause is not None

    @property
    def seconds(self) -> float | None:
        """How long it took; None where its end is not known."""
        return None if self.end is None else max(0, self.end - self.start) / 1e9

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens of a model call: in and out."""
        used = (self.attributes.get(name, 0) for name in (names.INPUT_TOKENS, names.OUTPUT_TOKENS))
        first, second = (value if isinstance(value, int) else 0 for value in used)
        return first, second

    def walk(self) -> Iterator["Node"]:
        """Yield this span and all below it, a parent before its children."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


def node_of(span: Mapping[str, Any]) -> Node:
    """Return the node of a span as a span file has it."""
    status = span.get("status", {})
    failed = status.get("code") == _ERROR
    return Node(
        span=span["spanId"],
        trace=span["traceId"],
        parent=span.get("parentSpanId"),
        name=span["name"],
        start=int(span["startTimeUnixNano"]),
        end=int(span["endTimeUnixNano"]),
        state="error" if failed else "ok",
        error=str(span["attributes"].get(names.ERROR_TYPE, "")) if failed else "",
        instance=str(span.get("instance", "")),
        attributes=span["attributes"],
        links=tuple(_links(span)),
    )


def _links(span: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for link in span.get("links", ()):
        why = "".join(
            item["value"].get("stringValue", "")
            for item in link.get("attributes", ())
            if item["key"] == names.LINK
        )
        yield why, link["spanId"]


def span_of(envelope: Envelope) -> str | None:
    """Return the id of the span that an event was written in."""
    parts = (envelope.traceparent or "").split("-")
    return parts[2] if len(parts) == 4 else None


def grown(nodes: Iterable[Node], events: Iterable[Envelope]) -> list[Node]:
    """Return the roots of the tree, oldest first, with each event on the span that wrote it.

    A delivery to the Planner is a root of its own: every round hangs below the one before it, and
    a tree of all rounds would be as deep as the run is long.
    """
    known = {node.span: node for node in nodes}
    for envelope in events:
        span = span_of(envelope)
        if span in known:
            known[span].events.append(envelope)
    roots: list[Node] = []
    for node in sorted(known.values(), key=lambda node: (node.start, node.span)):
        begins = node.is_delivery and node.attributes.get(names.ROLE) == "planner"
        parent = None if begins else known.get(node.parent or "")
        (roots if parent is None else parent.children).append(node)
    return roots
