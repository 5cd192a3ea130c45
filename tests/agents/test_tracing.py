"""Spans of handlers form one tree through the text that the events carry, and hold no secrets."""

import warnings
from typing import Any, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.graph import START, StateGraph
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON, ParentBased
from opentelemetry.trace import NoOpTracerProvider, SpanKind, StatusCode

from envwright.agents.span_ids import DerivedIds, run_trace_id, work_span_id
from envwright.agents.tracing import Tracing, mark_failed, record_usage, record_verdict
from envwright.events import Envelope, encode
from envwright.events.ports import Claim, Delivery, Work
from envwright.events.values import Actor

SECRET = "the prompt that nobody may see"


class Recorder:
    """A process's tracing whose finished spans can be looked at."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider(
            sampler=ParentBased(ALWAYS_ON), resource=Resource({}), id_generator=DerivedIds()
        )
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracing = Tracing(provider)

    def spans(self) -> dict[str, ReadableSpan]:
        return {span.name: span for span in self._exporter.get_finished_spans()}

    def span(self, name: str) -> ReadableSpan:
        return self.spans()[name]


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def delivery(
    traceparent: str | None = None,
    *,
    event_type: str = "brief.planned",
    role: str = "builder",
    correlation_id: str = "pkg-1",
    data: dict[str, Any] | None = None,
) -> Delivery:
    """Return a doorbell for an event that was written under `traceparent`."""
    body = encode({"text": SECRET, **(data or {})})
    envelope = Envelope(
        id="event-1",
        idempotency_key="key",
        type=event_type,
        schema_version=1,
        stream="run/run-1",
        sequence=1,
        position=1,
        run_id="run-1",
        causation_id=None,
        correlation_id=correlation_id,
        actor=Actor(role="planner", instance="i", code_version="0"),
        occurred_at="",
        recorded_at="",
        traceparent=traceparent,
        basis=None,
        metrics={},
        payload_hash="",
        previous_hash="",
        hash="",
        payload=body,
        body=body,
    )
    work = Work(
        work="wrk-1",
        group=f"envwright.{role}",
        cause=envelope.id,
        stream=envelope.stream,
        position=1,
        run_id="run-1",
        correlation_id=correlation_id,
    )
    return Delivery(envelope=envelope, work=work, role=role)


def ids(span: ReadableSpan) -> tuple[int, int]:
    context = span.get_span_context()
    assert context is not None
    return context.trace_id, context.span_id


def test_a_handlers_span_is_below_and_linked_to_the_span_that_wrote_its_cause(
    recorder: Recorder,
) -> None:
    with recorder.tracing.process(delivery(event_type="run.requested", role="planner")):
        written_under = recorder.tracing.traceparent
    reader = Recorder()
    with reader.tracing.process(delivery(written_under)):
        pass
    writer, handler = recorder.span("process run.requested"), reader.span("process brief.planned")
    assert handler.parent is not None and handler.parent.is_remote
    assert (handler.parent.trace_id, handler.parent.span_id) == ids(writer)
    assert [(link.context.trace_id, link.context.span_id) for link in handler.links] == [
        ids(writer)
    ]
    assert handler.kind is SpanKind.CONSUMER


def test_one_trace_goes_through_a_whole_chain_of_events() -> None:
    traceparent, traces = None, set()
    for event_type in ("run.requested", "brief.planned", "package.drafted", "testing.completed"):
        process = Recorder()
        with process.tracing.process(delivery(traceparent, event_type=event_type)):
            traceparent = process.tracing.traceparent
        traces.add(ids(process.span(f"process {event_type}"))[0])
    assert len(traces) == 1 and traceparent is not None
    assert int(traceparent.split("-")[1], 16) in traces


TRACE_IDS = st.integers(1, 2**128 - 1)
SPAN_IDS = st.integers(1, 2**64 - 1)


@given(TRACE_IDS, SPAN_IDS, st.integers(0, 255))
def test_flags_are_a_bit_field_of_which_one_bit_samples(
    trace_id: int, span: int, flags: int
) -> None:
    recorder = Recorder()
    text = f"00-{trace_id:032x}-{span:016x}-{flags:02x}"
    with recorder.tracing.process(delivery(text)):
        inside = recorder.tracing.traceparent
    assert inside is not None and inside.split("-")[1] == f"{trace_id:032x}"
    assert int(inside.split("-")[3], 16) & 1 == flags & 1
    assert bool(recorder.spans()) == bool(flags & 1)


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "nonsense",
        f"00-{0:032x}-{1:016x}-01",
        f"00-{1:032x}-{0:016x}-01",
        f"ff-{1:032x}-{1:016x}-01",
        f"00-{1:032x}-{1:016x}-01-more",
        f"00-{'A' * 32}-{1:016x}-01",
    ],
)
def test_a_cause_without_a_usable_traceparent_starts_a_trace(
    recorder: Recorder, text: str | None
) -> None:
    with recorder.tracing.process(delivery(text)):
        pass
    span = recorder.span("process brief.planned")
    assert span.parent is None and list(span.links) == []


@given(st.text())
def test_no_text_in_place_of_a_traceparent_stops_a_handler(text: str) -> None:
    recorder = Recorder()
    with recorder.tracing.process(delivery(text)):
        pass
    assert len(recorder.spans()) == 1


def test_a_delivery_inside_another_span_still_belongs_to_its_cause(recorder: Recorder) -> None:
    cause = f"00-{7:032x}-{8:016x}-01"
    with recorder.tracing.invoke_agent("outer"), recorder.tracing.process(delivery(cause)):
        pass
    parent = recorder.span("process brief.planned").parent
    assert parent is not None and parent.span_id == 8


def test_outside_of_a_span_there_is_no_traceparent(recorder: Recorder) -> None:
    assert recorder.tracing.traceparent is None


def test_attributes_name_ids_and_never_the_payload(recorder: Recorder) -> None:
    with recorder.tracing.process(delivery(data={"attempt": "att-1"})):
        pass
    attributes = dict(recorder.span("process brief.planned").attributes or {})
    assert attributes == {
        "messaging.system": "envwright",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "messaging.destination.name": "envwright.work.builder.v1",
        "messaging.consumer.group.name": "envwright.builder",
        "messaging.message.id": "event-1",
        "messaging.message.conversation_id": "pkg-1",
        "gen_ai.conversation.id": "pkg-1",
        "envwright.event.id": "event-1",
        "envwright.event.type": "brief.planned",
        "envwright.role": "builder",
        "envwright.work.id": "wrk-1",
        "envwright.run.id": "run-1",
        "envwright.package.id": "pkg-1",
        "envwright.attempt.id": "att-1",
    }


def test_an_event_about_the_run_names_no_package(recorder: Recorder) -> None:
    with recorder.tracing.process(delivery(correlation_id="run-1", data={"attempt": 3})):
        pass
    attributes = recorder.span("process brief.planned").attributes or {}
    assert not {"envwright.package.id", "envwright.attempt.id"} & set(attributes)


def test_agents_tools_and_models_are_spans_below_the_handler(recorder: Recorder) -> None:
    tracing = recorder.tracing
    with tracing.process(delivery()), tracing.invoke_agent("builder"):
        with tracing.execute_tool("run_gate", call_id="call-1"):
            pass
        with tracing.chat("some-model", provider="local") as call:
            record_usage(call, input_tokens=12, output_tokens=3)
    handler, agent = recorder.span("process brief.planned"), recorder.span("invoke_agent builder")
    tool, model = recorder.span("execute_tool run_gate"), recorder.span("chat some-model")
    parents = [span.parent.span_id for span in (agent, tool, model) if span.parent]
    assert parents == [ids(handler)[1], ids(agent)[1], ids(agent)[1]]
    assert [span.kind for span in (agent, tool, model)] == [
        SpanKind.INTERNAL,
        SpanKind.INTERNAL,
        SpanKind.CLIENT,
    ]
    for span, expected in (
        (agent, {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "builder"}),
        (tool, {"gen_ai.tool.name": "run_gate", "gen_ai.tool.call.id": "call-1"}),
        (model, {"gen_ai.request.model": "some-model", "gen_ai.usage.input_tokens": 12}),
    ):
        inherited = {"envwright.package.id": "pkg-1", "envwright.work.id": "wrk-1"}
        assert expected.items() | inherited.items() <= dict(span.attributes or {}).items()


class State(TypedDict, total=False):
    seen: str


def test_spans_of_parallel_graph_nodes_are_below_the_agent(recorder: Recorder) -> None:
    def node(name: str) -> Any:
        def act(_: State) -> State:
            with recorder.tracing.execute_tool(name):
                return {}

        return act

    graph = StateGraph(State)
    for name in ("one", "two"):
        graph.add_node(name, node(name))
        graph.add_edge(START, name)
    with recorder.tracing.invoke_agent("tester"):
        graph.compile().invoke({"seen": ""})
    agent = ids(recorder.span("invoke_agent tester"))[1]
    for name in ("one", "two"):
        parent = recorder.span(f"execute_tool {name}").parent
        assert parent is not None and parent.span_id == agent


def test_an_error_sets_status_and_type_and_keeps_its_message_out(recorder: Recorder) -> None:
    tracing = recorder.tracing
    with (
        pytest.raises(ValueError, match="prompt"),
        tracing.process(delivery()),
        tracing.execute_tool("broken"),
    ):
        raise ValueError(SECRET)
    for name in ("process brief.planned", "execute_tool broken"):
        span = recorder.span(name)
        assert span.status.status_code is StatusCode.ERROR
        assert (span.attributes or {})["error.type"] == "ValueError"
        assert SECRET not in span.to_json()
        assert list(span.events) == []


def test_an_error_that_is_data_can_be_marked(recorder: Recorder) -> None:
    with recorder.tracing.execute_tool("picky") as span:
        mark_failed(span, "not_found")
    assert recorder.span("execute_tool picky").status.description == "not_found"


def claim(token: int = 1) -> Claim:
    return Claim(work=delivery().work, holder="i", token=token, try_number=1)


def test_the_spans_of_a_claim_have_the_ids_that_follow_from_it(recorder: Recorder) -> None:
    with (
        recorder.tracing.process(delivery(), claim()),
        recorder.tracing.invoke_agent("builder", claim()),
        recorder.tracing.execute_tool("look"),
    ):
        pass
    handler, agent = recorder.span("process brief.planned"), recorder.span("invoke_agent builder")
    assert ids(handler) == (run_trace_id("run-1"), work_span_id("wrk-1", 1, "process"))
    assert ids(agent) == (run_trace_id("run-1"), work_span_id("wrk-1", 1, "agent"))
    tool = dict(recorder.span("execute_tool look").attributes or {})
    assert (tool["envwright.claim.token"], tool["envwright.claim.try"]) == (1, 1)
    assert list(handler.links) == []


def test_a_later_claim_links_to_the_one_before_it(recorder: Recorder) -> None:
    with recorder.tracing.process(delivery(), claim(token=3)):
        pass
    [link] = recorder.span("process brief.planned").links
    assert dict(link.attributes or {}) == {"envwright.link": "earlier try"}
    assert link.context.trace_id == run_trace_id("run-1")
    assert link.context.span_id == work_span_id("wrk-1", 2, "process")


def test_a_takeover_stays_in_the_trace_of_its_cause(recorder: Recorder) -> None:
    cause = f"00-{7:032x}-{8:016x}-01"
    with recorder.tracing.process(delivery(cause), claim(token=2)):
        pass
    span = recorder.span("process brief.planned")
    why = {link.attributes["envwright.link"]: link for link in span.links if link.attributes}
    assert set(why) == {"cause", "earlier try"}
    assert why["cause"].context.span_id == 8
    assert {link.context.trace_id for link in span.links} == {7} == {ids(span)[0]}


def test_a_span_names_the_events_that_were_written_in_it(recorder: Recorder) -> None:
    with recorder.tracing.invoke_agent("builder"):
        recorder.tracing.wrote(["e1"])
        recorder.tracing.wrote(["e2", "e3"])
    attributes = dict(recorder.span("invoke_agent builder").attributes or {})
    assert attributes["envwright.events.written"] == ("e1", "e2", "e3")
    recorder.tracing.wrote(["outside of a span there is nothing to note it on"])


def test_a_span_names_no_more_events_than_its_bound(recorder: Recorder) -> None:
    with recorder.tracing.invoke_agent("builder"):
        recorder.tracing.wrote(f"e{number}" for number in range(1000))
    attributes = dict(recorder.span("invoke_agent builder").attributes or {})
    assert len(attributes["envwright.events.written"]) == 256  # type: ignore[arg-type]


def test_gates_evaluations_and_steps_are_spans_with_their_verdicts(recorder: Recorder) -> None:
    tracing = recorder.tracing
    with tracing.gate("no_leak") as gate:
        record_verdict(gate, "fail")
    with tracing.evaluate("attempt") as evaluation:
        record_verdict(evaluation, "error")
    with tracing.step("mine"):
        pass
    leak = recorder.span("execute_tool gate no_leak")
    assert dict(leak.attributes or {}) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "no_leak",
        "gen_ai.evaluation.name": "no_leak",
        "gen_ai.evaluation.score.label": "fail",
        "envwright.gate.id": "no_leak",
    }
    assert leak.status.status_code is StatusCode.UNSET, "a gate that says no has worked"
    assert recorder.span("evaluate attempt").status.status_code is StatusCode.ERROR
    assert recorder.span("mine").kind is SpanKind.INTERNAL


def test_tracing_that_is_off_passes_the_trace_on() -> None:
    tracing = Tracing(NoOpTracerProvider())
    cause = f"00-{7:032x}-{8:016x}-01"
    with tracing.process(delivery(cause)), tracing.invoke_agent("builder"):
        assert tracing.traceparent == cause


def test_no_global_provider_is_set_and_nothing_warns(recorder: Recorder) -> None:
    before = trace.get_tracer_provider()
    with warnings.catch_warnings(), recorder.tracing.process(delivery()):
        warnings.simplefilter("error")
        with recorder.tracing.invoke_agent("builder"):
            pass
    assert trace.get_tracer_provider() is before
