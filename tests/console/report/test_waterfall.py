"""The waterfall: a bar for each span, where it was and as long as it took."""

import re

from envwright.console.report.waterfall import trace_document
from support.trace_views import agent, call, span, trace_view


def bars(page: str) -> list[tuple[float, float]]:
    """Return place and length of each bar."""
    found = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', page)
    return [(float(left), float(width)) for left, width in found]


def test_bars_stand_where_their_spans_were() -> None:
    view = trace_view(span("late", at=1.0, seconds=1.0), agent("x", at=0.0, seconds=0.5))
    (late, full), (early, quarter) = bars(trace_document(view))
    assert late > early and round(full / quarter, 2) == 2.0
    assert round(late - early, 1) == round(full, 1)


def test_a_bar_tells_its_span_events_and_links() -> None:
    row = span(
        "process x",
        answers="e0",
        events=[{"event": "e1", "type": "gate.evaluated", "position": 1}],
        links=[{"why": "earlier try", "span": "aa"}],
        state="killed",
        seconds=None,
    )
    page = trace_document(trace_view(row))
    for words in ("answers event e0", "wrote gate.evaluated e1", "linked to aa (earlier try)"):
        assert words in page
    assert "? killed" in page and "fill:var(--bad)" in page


def test_kinds_of_spans_have_their_colours() -> None:
    gate = span("g", about={"envwright.gate.id": "g"})
    model = span("m", about={"gen_ai.request.model": "m"})
    page = trace_document(trace_view(gate, model, span("d", answers="e"), call("t")))
    assert {"fill:var(--c3)", "fill:var(--c4)", "fill:var(--c8)"} <= set(
        re.findall(r'style="(fill:[^"]+)"', page)
    )


def test_a_name_is_text_and_a_long_one_is_cut() -> None:
    page = trace_document(trace_view(span("<script>alert(1)</script>" + "x" * 90)))
    assert "<script>" not in page and "…" in page


def test_an_empty_trace_is_a_page() -> None:
    assert "Trace of package pkg-1" in trace_document(trace_view(spans=0, seconds=0.0))
