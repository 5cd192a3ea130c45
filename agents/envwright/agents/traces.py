"""Traces: the spans of a run, package, attempt or event, joined with the log both ways."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from opentelemetry.trace import format_span_id, format_trace_id

from envwright.agents import conventions as names
from envwright.agents.runtime import Runtime
from envwright.agents.span_file import SpanReader, span_files
from envwright.agents.span_ids import run_trace_id, work_span_id
from envwright.agents.span_tree import Node, State, grown, node_of, span_of
from envwright.events.catalog import WorkClaimed, WorkExpired
from envwright.events.envelope import Envelope
from envwright.events.errors import BadInputError

Traced = Literal["run", "package", "attempt", "event", "work"]

_ANCESTORS = 2
"""Spans above those that were asked for: the agent that ordered the work, and its delivery."""


@dataclass
class Trace:
    """The span trees of something, and what is not in them."""

    kind: Traced
    id: str
    run: str
    roots: list[Node]
    skipped: int
    """Lines of the span files that were cut off."""

    def nodes(self) -> Iterator[Node]:
        """Yield every span, a parent before its children."""
        for root in self.roots:
            yield from root.walk()


def trace_of(runtime: Runtime, kind: Traced, what: str) -> Trace:
    """Return the trace of something that the log knows.

    Raises:
        BadInputError: the log has no event of it.
    """
    events = _EVENTS[kind](runtime, what)
    if not events:
        raise BadInputError(f"no {kind} {what!r} has events in {runtime.config.place}")
    reader = SpanReader(*span_files(runtime.config.home))
    known = {node.span: node for node in map(node_of, reader.spans(_needles(kind, what, events)))}
    skipped = reader.skipped
    writer = known.get(span_of(events[0]) or "") if kind in ("event", "work") else None
    if writer is not None:
        work = str(writer.attributes.get(names.WORK_ID))
        known |= {node.span: node for node in map(node_of, reader.spans([work]))}
    for node in _never_written(runtime, events, known):
        known[node.span] = node
    if kind != "run":
        _add_ancestors(reader, known)
    if kind in ("event", "work"):
        known = _around(what, events, known)
    roots = grown(known.values(), events)
    return Trace(kind=kind, id=what, run=events[0].run_id, roots=roots, skipped=skipped)


def _events_of_run(runtime: Runtime, run_id: str) -> list[Envelope]:
    return list(runtime.log.read_all(run_id=run_id))


def _events_of_package(runtime: Runtime, package: str) -> list[Envelope]:
    known = next(iter(runtime.log.read(f"package/{package}", up_to=1)), None)
    if known is not None:
        found = runtime.log.read_all(run_id=known.run_id)
    else:
        # A package of which there is no more than the brief.
        found = runtime.log.read_all(types=("brief.planned",))
    return [envelope for envelope in found if envelope.correlation_id == package]


def _events_of_attempt(runtime: Runtime, attempt: str) -> list[Envelope]:
    first = next(iter(runtime.log.read(f"attempt/{attempt}", up_to=1)), None)
    if first is None:
        return []
    of_run = list(runtime.log.read_all(run_id=first.run_id))
    about = {envelope.id for envelope in of_run if envelope.data.get("attempt") == attempt}
    return [
        envelope
        for envelope in of_run
        if envelope.id in about
        or (envelope.stream.startswith("work/") and envelope.causation_id in about)
    ]


def _event_and_answers(runtime: Runtime, event_id: str) -> list[Envelope]:
    envelope = runtime.log.get(event_id)
    if envelope is None:
        return []
    later = runtime.log.read_all(run_id=envelope.run_id, after=envelope.position)
    return [envelope, *(each for each in later if each.causation_id == event_id)]


def _events_of_work(runtime: Runtime, work: str) -> list[Envelope]:
    first = next(iter(runtime.log.read(f"work/{work}", up_to=1)), None)
    if first is None or first.causation_id is None:
        return []
    return _event_and_answers(runtime, first.causation_id)


_EVENTS: dict[Traced, Callable[[Runtime, str], list[Envelope]]] = {
    "run": _events_of_run,
    "package": _events_of_package,
    "attempt": _events_of_attempt,
    "event": _event_and_answers,
    "work": _events_of_work,
}


def _needles(kind: Traced, what: str, events: list[Envelope]) -> list[str]:
    """Return texts of which a span must have one to be of interest."""
    if kind not in ("event", "work"):
        return [what]
    works = {each.stream.partition("/")[2] for each in events if each.stream.startswith("work/")}
    written = span_of(events[0])
    return [events[0].id, *sorted(works), *([written] if written else [])]


def _never_written(
    runtime: Runtime, events: Iterable[Envelope], known: dict[str, Node]
) -> Iterator[Node]:
    """Yield what the log tells of claims whose span is missing: their process was killed."""
    claims: list[tuple[Envelope, WorkClaimed]] = []
    ends: dict[tuple[str, int], Envelope] = {}
    wanted = {node.parent for node in known.values()}
    written: dict[str, Envelope] = {}
    for envelope in events:
        fact = envelope.fact if envelope.stream.startswith("work/") else None
        if isinstance(fact, WorkClaimed):
            claims.append((envelope, fact))
            ends.setdefault((fact.work, fact.token - 1), envelope)
        elif isinstance(fact, WorkExpired):
            ends[fact.work, fact.token] = envelope
        written[span_of(envelope) or ""] = envelope
    for envelope, fact in claims:
        delivery = format_span_id(work_span_id(fact.work, fact.token, "process"))
        agent = format_span_id(work_span_id(fact.work, fact.token, "agent"))
        last = written.get(agent)
        end = ends.get((fact.work, fact.token))
        state: State = "killed" if end else _open_state(runtime, fact.work)
        node = _lost(runtime, envelope, fact, end or last, state)
        if delivery not in known:
            yield node
        if agent not in known and (agent in wanted or last is not None):
            yield _lost_agent(node, agent, fact)


def _open_state(runtime: Runtime, work: str) -> State:
    return "running" if runtime.leases.state(work) == "held" else "unrecorded"


def _lost(
    runtime: Runtime, claimed: Envelope, fact: WorkClaimed, end: Envelope | None, state: State
) -> Node:
    cause = runtime.log.get(fact.cause)
    parent = span_of(cause) if cause else None
    trace = (cause.traceparent or "").split("-") if cause and parent else []
    attributes = {
        names.EVENT_ID: fact.cause,
        names.EVENT_TYPE: cause.type if cause else "",
        names.ROLE: fact.group.rpartition(".")[2],
        names.WORK_ID: fact.work,
        names.RUN_ID: claimed.run_id,
        names.CLAIM_TOKEN: fact.token,
        names.CLAIM_TRY: fact.try_number,
    }
    links = [(names.CAUSE, parent)] if parent else []
    if fact.token > 1:
        earlier = work_span_id(fact.work, fact.token - 1, "process")
        links.append((names.EARLIER_TRY, format_span_id(earlier)))
    return Node(
        span=format_span_id(work_span_id(fact.work, fact.token, "process")),
        trace=trace[1] if trace else format_trace_id(run_trace_id(claimed.run_id)),
        parent=parent,
        name=f"{names.PROCESS} {attributes[names.EVENT_TYPE]}",
        start=_nanoseconds(claimed),
        end=_nanoseconds(end) if end else None,
        state=state,
        instance=claimed.actor.instance,
        attributes=attributes,
        links=tuple(links),
    )


def _lost_agent(delivery: Node, span: str, fact: WorkClaimed) -> Node:
    role = fact.group.rpartition(".")[2]
    about = {name: value for name, value in delivery.attributes.items() if name in names.INHERITED}
    return Node(
        span=span,
        trace=delivery.trace,
        parent=delivery.span,
        name=f"{names.INVOKE_AGENT} {role}",
        start=delivery.start,
        end=delivery.end,
        state=delivery.state,
        instance=delivery.instance,
        attributes={**about, names.AGENT_NAME: role},
    )


def _nanoseconds(envelope: Envelope) -> int:
    at = datetime.fromisoformat(envelope.recorded_at.replace("Z", "+00:00"))
    return int(at.timestamp() * 1_000_000) * 1000


def _add_ancestors(reader: SpanReader, known: dict[str, Node]) -> None:
    """Add the spans that those at the top hang below, as far as it tells who ordered the work."""
    for _ in range(_ANCESTORS):
        missing = {
            node.parent for node in known.values() if node.parent and node.parent not in known
        }
        if not missing:
            return
        for span in reader.spans([f'"spanId":"{parent}"' for parent in sorted(missing)]):
            if span["spanId"] in missing:
                known[span["spanId"]] = node_of(span)


def _around(what: str, events: list[Envelope], known: dict[str, Node]) -> dict[str, Node]:
    """Keep, of the spans near an event, the work that wrote it and the work that answers it."""
    event = events[0]
    written = known.get(span_of(event) or "")
    writer = {} if written is None else {written.span, written.parent}
    work = None if written is None else written.attributes.get(names.WORK_ID)
    answers = {
        node.attributes.get(names.WORK_ID) for node in known.values() if node.cause == event.id
    }
    keep: dict[str, Any] = {
        span: node
        for span, node in known.items()
        if span in writer
        or node.attributes.get(names.WORK_ID) in answers
        or (node.attributes.get(names.WORK_ID) == work and not node.is_delivery)
    }
    return keep
