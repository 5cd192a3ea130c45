"""Span ids follow from the claim, so that a process that knows it knows the span of another."""

from opentelemetry.sdk.trace import TracerProvider

from envwright.agents.span_ids import DerivedIds, next_ids, run_trace_id, work_span_id


def test_ids_are_those_of_the_claim_and_of_no_other() -> None:
    same = work_span_id("wrk-1", 1, "process")
    assert same == work_span_id("wrk-1", 1, "process")
    others = [
        work_span_id("wrk-1", 2, "process"),
        work_span_id("wrk-2", 1, "process"),
        work_span_id("wrk-1", 1, "agent"),
    ]
    assert len({same, *others}) == 4
    assert all(0 < each < 2**64 for each in (same, *others))
    assert 0 < run_trace_id("run-1") < 2**128 and run_trace_id("run-1") != run_trace_id("run-2")


def test_only_the_span_that_is_started_inside_takes_the_ids() -> None:
    tracer = TracerProvider(id_generator=DerivedIds()).get_tracer("t")
    with next_ids(7, 8):
        first = tracer.start_span("first")
    second = tracer.start_span("second")
    context = first.get_span_context()
    assert (context.trace_id, context.span_id) == (7, 8)
    assert second.get_span_context().span_id != 8 and second.get_span_context().trace_id != 7


def test_a_span_with_a_parent_stays_in_its_trace() -> None:
    tracer = TracerProvider(id_generator=DerivedIds()).get_tracer("t")
    with tracer.start_as_current_span("outer") as outer, next_ids(7, 8):
        inner = tracer.start_span("inner")
    assert inner.get_span_context().trace_id == outer.get_span_context().trace_id
    assert inner.get_span_context().span_id == 8
