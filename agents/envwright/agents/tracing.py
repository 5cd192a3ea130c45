"""Tracing: spans of handlers, agents, tools and models, one tree through the events' traceparent.

    process brief.planned        CONSUMER, below and linked to the span that wrote its cause
    └── invoke_agent builder     INTERNAL
        ├── execute_tool gate    INTERNAL
        └── chat some-model      CLIENT

Spans carry ids and counts, never prompts, arguments or payloads.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, Span, SpanKind, Status, StatusCode, TracerProvider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from envwright.agents import conventions as names
from envwright.events.choreography import work_topic
from envwright.events.envelope import Envelope
from envwright.events.ports import Delivery

_W3C = TraceContextTextMapPropagator()
_HEADER = "traceparent"
_PACKAGE_PREFIX = "pkg-"


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
    def process(self, delivery: Delivery) -> Iterator[Span]:
        """Span a handler's work on a delivery, below the span that wrote its cause."""
        parent = _context_of(delivery.envelope.traceparent)
        cause = trace.get_current_span(parent).get_span_context()
        attributes = {
            names.MESSAGING_SYSTEM: self._system,
            names.MESSAGING_OPERATION_NAME: names.PROCESS,
            names.MESSAGING_OPERATION_TYPE: names.PROCESS,
            names.MESSAGING_DESTINATION: work_topic(delivery.role),
            names.MESSAGING_GROUP: delivery.work.group,
            **_ids(delivery),
        }
        with (
            self._tracer.start_as_current_span(
                f"{names.PROCESS} {delivery.envelope.type}",
                context=parent,
                kind=SpanKind.CONSUMER,
                attributes=attributes,
                links=[Link(cause)] if cause.is_valid else [],
                record_exception=False,
                set_status_on_exception=False,
            ) as span,
            _errors_on(span),
        ):
            yield span

    @contextmanager
    def invoke_agent(self, role: str) -> Iterator[Span]:
        """Span the run of a role's graph."""
        attributes = {names.OPERATION_NAME: names.INVOKE_AGENT, names.AGENT_NAME: role}
        with self._inner(f"{names.INVOKE_AGENT} {role}", SpanKind.INTERNAL, attributes) as span:
            yield span

    @contextmanager
    def execute_tool(self, name: str, *, call_id: str | None = None) -> Iterator[Span]:
        """Span a call of a tool; a tool's own error goes to `mark_failed`."""
        attributes = {names.OPERATION_NAME: names.EXECUTE_TOOL, names.TOOL_NAME: name}
        if call_id is not None:
            attributes[names.TOOL_CALL_ID] = call_id
        with self._inner(f"{names.EXECUTE_TOOL} {name}", SpanKind.INTERNAL, attributes) as span:
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
    def _inner(self, name: str, kind: SpanKind, attributes: Mapping[str, str]) -> Iterator[Span]:
        with (
            self._tracer.start_as_current_span(
                name,
                kind=kind,
                attributes={**_inherited(), **attributes},
                record_exception=False,
                set_status_on_exception=False,
            ) as span,
            _errors_on(span),
        ):
            yield span


def mark_failed(span: Span, error_type: str) -> None:
    """Give a span error status; the type alone, for messages may hold what was prompted."""
    span.set_attribute(names.ERROR_TYPE, error_type)
    span.set_status(Status(StatusCode.ERROR, error_type))


def record_usage(span: Span, *, input_tokens: int, output_tokens: int) -> None:
    """Note what a call of a model used."""
    span.set_attribute(names.INPUT_TOKENS, input_tokens)
    span.set_attribute(names.OUTPUT_TOKENS, output_tokens)


@contextmanager
def _errors_on(span: Span) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        mark_failed(span, type(error).__qualname__)
        raise


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


def _inherited() -> dict[str, str]:
    attributes = getattr(trace.get_current_span(), "attributes", None) or {}
    return {name: attributes[name] for name in names.INHERITED if name in attributes}
