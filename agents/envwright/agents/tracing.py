"""Tracing: spans of handlers, agents, tools and models, one tree through the events' traceparent.

    process brief.planned        CONSUMER, below and linked to the span that wrote its cause
    └── invoke_agent builder     INTERNAL, named by the traceparent of what it writes
        ├── execute_tool gate …  INTERNAL, as are worlds, mining and evaluations
        └── chat some-model      CLIENT

A span knows the event that it answers and the events that were written in it; an event knows its
span. Spans carry ids and counts, never prompts, arguments or payloads.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import (
    Link,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    TracerProvider,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from envwright.agents import conventions as names
from envwright.agents.span_ids import Part, next_ids, run_trace_id, work_span_id
from envwright.events.choreography import work_topic
from envwright.events.envelope import Envelope
from envwright.events.ports import Claim, Delivery

_W3C = TraceContextTextMapPropagator()
_HEADER = "traceparent"
_PACKAGE_PREFIX = "pkg-"

_WRITTEN = 256
"""Ids of events that one span carries at most; the events themselves name their span."""


class Tracing:
    """Starts the spans of one process with a provider that it is given; touches no global one."""

    def __init__(self, provider: TracerProvider, *, system: str = "envwright") -> None:
        """Take the provider of spans, and the messaging system that brings the deliveries."""
        self._tracer = provider.get_tracer("envwright")
        self._system = system

    @property
    def traceparent(self) -> str | None:
        """The current span as W3C text, for the events that are written in it; None outside."""
        carrier: dict[str, str] = {}
        _W3C.inject(carrier)
        return carrier.get(_HEADER)

    @contextmanager
    def process(self, delivery: Delivery, claim: Claim | None = None) -> Iterator[Span]:
        """Span a handler's work on a delivery, below the span that wrote its cause.

        Under a claim its id follows from the claim, and it links to the try before it.
        """
        parent = _context_of(delivery.envelope.traceparent)
        cause = trace.get_current_span(parent).get_span_context()
        attributes: dict[str, str | int] = {
            names.MESSAGING_SYSTEM: self._system,
            names.MESSAGING_OPERATION_NAME: names.PROCESS,
            names.MESSAGING_OPERATION_TYPE: names.PROCESS,
            names.MESSAGING_DESTINATION: work_topic(delivery.role),
            names.MESSAGING_GROUP: delivery.work.group,
            **_ids(delivery),
            **_claim_attributes(claim),
        }
        with _ids_of(claim, "process"):
            span = self._tracer.start_span(
                f"{names.PROCESS} {delivery.envelope.type}",
                context=parent,
                kind=SpanKind.CONSUMER,
                attributes=attributes,
                links=list(_links(cause, claim)),
            )
        with _current(span):
            yield span

    @contextmanager
    def invoke_agent(self, role: str, claim: Claim | None = None) -> Iterator[Span]:
        """Span the run of a role's graph."""
        attributes = {names.OPERATION_NAME: names.INVOKE_AGENT, names.AGENT_NAME: role}
        name = f"{names.INVOKE_AGENT} {role}"
        with self._inner(name, SpanKind.INTERNAL, attributes, _ids_of(claim, "agent")) as span:
            yield span

    def wrote(self, event_ids: Iterable[str]) -> None:
        """Note on the current span which events were recorded in it."""
        span = trace.get_current_span()
        known = (getattr(span, "attributes", None) or {}).get(names.EVENTS_WRITTEN, ())
        span.set_attribute(names.EVENTS_WRITTEN, (*known, *event_ids)[:_WRITTEN])

    @contextmanager
    def execute_tool(self, name: str, *, call_id: str | None = None) -> Iterator[Span]:
        """Span a call of a tool; a tool's own error goes to `mark_failed`."""
        attributes = {names.OPERATION_NAME: names.EXECUTE_TOOL, names.TOOL_NAME: name}
        if call_id is not None:
            attributes[names.TOOL_CALL_ID] = call_id
        with self._inner(f"{names.EXECUTE_TOOL} {name}", SpanKind.INTERNAL, attributes) as span:
            yield span

    @contextmanager
    def gate(self, gate: str) -> Iterator[Span]:
        """Span the run of a gate; its verdict goes to `record_verdict`."""
        attributes = {
            names.OPERATION_NAME: names.EXECUTE_TOOL,
            names.TOOL_NAME: gate,
            names.GATE_ID: gate,
            names.EVALUATION_NAME: gate,
        }
        name = f"{names.EXECUTE_TOOL} gate {gate}"
        with self._inner(name, SpanKind.INTERNAL, attributes) as span:
            yield span

    @contextmanager
    def evaluate(self, what: str) -> Iterator[Span]:
        """Span an evaluation, such as that of an attempt; its end goes to `record_verdict`."""
        attributes = {names.EVALUATION_NAME: what}
        with self._inner(f"evaluate {what}", SpanKind.INTERNAL, attributes) as span:
            yield span

    @contextmanager
    def step(self, name: str) -> Iterator[Span]:
        """Span a part of an agent's work that takes its time: reading, mining, opening a world."""
        with self._inner(name, SpanKind.INTERNAL, {}) as span:
            yield span

    @contextmanager
    def chat(self, model: str, *, provider: str) -> Iterator[Span]:
        """Span a call of a model; its tokens go to `record_usage`."""
        attributes = {
            names.OPERATION_NAME: names.CHAT,
            names.REQUEST_MODEL: model,
            names.PROVIDER_NAME: provider,
        }
        with self._inner(f"{names.CHAT} {model}", SpanKind.CLIENT, attributes) as span:
            yield span

    @contextmanager
    def _inner(
        self,
        name: str,
        kind: SpanKind,
        attributes: Mapping[str, str],
        ids: AbstractContextManager[None] | None = None,
    ) -> Iterator[Span]:
        given = {**_inherited(), **attributes}
        with ids or nullcontext():
            span = self._tracer.start_span(name, kind=kind, attributes=given)
        with _current(span):
            yield span


def mark_failed(span: Span, error_type: str) -> None:
    """Give a span error status; the type alone, for messages may hold what was prompted."""
    span.set_attribute(names.ERROR_TYPE, error_type)
    span.set_status(Status(StatusCode.ERROR, error_type))


def record_usage(
    span: Span, *, input_tokens: int, output_tokens: int, cached_tokens: int = 0
) -> None:
    """Note what a call of a model used."""
    span.set_attribute(names.INPUT_TOKENS, input_tokens)
    span.set_attribute(names.CACHED_TOKENS, cached_tokens)
    span.set_attribute(names.OUTPUT_TOKENS, output_tokens)


def record_verdict(span: Span, verdict: str) -> None:
    """Note how a gate or an evaluation ended; a verdict of `fail` is no error of the span."""
    span.set_attribute(names.EVALUATION_LABEL, verdict)
    if verdict == "error":
        mark_failed(span, verdict)


@contextmanager
def _current(span: Span) -> Iterator[None]:
    """Make a span the current one until its end, with the type of an error that ends it."""
    with trace.use_span(
        span, end_on_exit=True, record_exception=False, set_status_on_exception=False
    ):
        try:
            yield
        except BaseException as error:
            mark_failed(span, type(error).__qualname__)
            raise


def _ids_of(claim: Claim | None, part: Part) -> AbstractContextManager[None]:
    if claim is None:
        return nullcontext()
    work = claim.work
    return next_ids(run_trace_id(work.run_id), work_span_id(work.work, claim.token, part))


def _links(cause: SpanContext, claim: Claim | None) -> Iterator[Link]:
    """Yield the links to the span that wrote the cause and to the try before this one."""
    if cause.is_valid:
        yield Link(cause, {names.LINK: names.CAUSE})
    if claim is not None and claim.token > 1:
        earlier = SpanContext(
            trace_id=cause.trace_id or run_trace_id(claim.work.run_id),
            span_id=work_span_id(claim.work.work, claim.token - 1, "process"),
            is_remote=True,
            trace_flags=TraceFlags(TraceFlags.SAMPLED),
        )
        yield Link(earlier, {names.LINK: names.EARLIER_TRY})


def _claim_attributes(claim: Claim | None) -> dict[str, int]:
    if claim is None:
        return {}
    return {names.CLAIM_TOKEN: claim.token, names.CLAIM_TRY: claim.try_number}


def _context_of(traceparent: str | None) -> Context:
    """Return the context that a traceparent names; an empty one where it names none."""
    carrier = {} if traceparent is None else {_HEADER: traceparent}
    return _W3C.extract(carrier, context=Context())


def _ids(delivery: Delivery) -> dict[str, str]:
    envelope = delivery.envelope
    ids = {
        names.MESSAGE_ID: envelope.id,
        names.MESSAGE_CONVERSATION_ID: envelope.correlation_id,
        names.CONVERSATION_ID: envelope.correlation_id,
        names.EVENT_ID: envelope.id,
        names.EVENT_TYPE: envelope.type,
        names.ROLE: delivery.role,
        names.WORK_ID: delivery.work.work,
        names.RUN_ID: envelope.run_id,
    }
    if envelope.correlation_id.startswith(_PACKAGE_PREFIX):
        ids[names.PACKAGE_ID] = envelope.correlation_id
    attempt = _attempt_of(envelope)
    if attempt is not None:
        ids[names.ATTEMPT_ID] = attempt
    return ids


def _attempt_of(envelope: Envelope) -> str | None:
    attempt = envelope.data.get("attempt")
    return attempt if isinstance(attempt, str) else None


def _inherited() -> dict[str, Any]:
    attributes = getattr(trace.get_current_span(), "attributes", None) or {}
    return {name: attributes[name] for name in names.INHERITED if name in attributes}
