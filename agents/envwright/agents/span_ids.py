"""Span ids: those of a handler follow from its run, work and claim, so that any process finds them.

A killed process leaves no span of the handler that it was in, but what it wrote and the spans of
its tools name that span; the try that takes over links to it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from envwright.events import digest

Part = Literal["process", "agent"]

_SPAN_DIGITS, _TRACE_DIGITS = 16, 32


def work_span_id(work: str, token: int, part: Part) -> int:
    """Return the id of a claim's span: that of the delivery, or that of its agent."""
    return int(digest(["span", work, token, part])[:_SPAN_DIGITS], 16) or 1


def run_trace_id(run_id: str) -> int:
    """Return the id of the trace that a run begins."""
    return int(digest(["trace", run_id])[:_TRACE_DIGITS], 16) or 1


_NEXT: ContextVar[tuple[int, int] | None] = ContextVar("next_ids", default=None)


@contextmanager
def next_ids(trace_id: int, span_id: int) -> Iterator[None]:
    """Give the span that is started inside this id, and this trace where it has no parent."""
    token = _NEXT.set((trace_id, span_id))
    try:
        yield
    finally:
        _NEXT.reset(token)


class DerivedIds(RandomIdGenerator):
    """Ids as `next_ids` says, random ones for all other spans."""

    def generate_trace_id(self) -> int:
        """Return the id of a new trace."""
        following = _NEXT.get()
        return super().generate_trace_id() if following is None else following[0]

    def generate_span_id(self) -> int:
        """Return the id of a new span."""
        following = _NEXT.get()
        return super().generate_span_id() if following is None else following[1]
