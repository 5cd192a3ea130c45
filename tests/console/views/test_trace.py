"""A trace as JSON."""

from envwright.agents.span_tree import Node
from envwright.agents.traces import Trace
from envwright.console.views.trace import trace_view

SECOND = 1_000_000_000


def node(span: str, start: int, **changes) -> Node:
    fields = {
        "trace": "t",
        "parent": None,
        "name": span,
        "end": start + SECOND,
        "state": "ok",
        "instance": "host:1",
    }
    return Node(span=span, start=start, **{**fields, **changes})


def test_spans_are_nested_with_times_from_the_first() -> None:
    root, child = node("a", 10 * SECOND), node("b", 12 * SECOND, instance="host:2")
    root.children.append(child)
    view = trace_view(Trace("run", "run-1", "run-1", [root], skipped=3))
    assert (view["spans"], view["seconds"], view["processes"]) == (2, 3.0, 2)
    assert (view["skipped_lines"], view["started_at"]) == (3, "1970-01-01T00:00:10.000+00:00")
    [row] = view["roots"]
    assert (row["at"], row["seconds"]) == (0.0, 1.0)
    assert [below["at"] for below in row["children"]] == [2.0]


def test_tokens_errors_and_killed_tries_are_summed_up() -> None:
    used = {"gen_ai.usage.input_tokens": 5, "gen_ai.usage.output_tokens": 2}
    roots = [
        node("a", 0, attributes=used),
        node("b", 0, attributes=used, state="error", error="TimeoutError"),
        node("c", 0, state="killed", end=None, attributes={"envwright.event.id": "e"}),
        node("d", 0, state="killed"),
        node("e", 0, state="error", error="tool_error"),
    ]
    view = trace_view(Trace("run", "run-1", "run-1", roots, skipped=0))
    assert (view["input_tokens"], view["output_tokens"]) == (10, 4)
    assert (view["errors"], view["refused"], view["killed"]) == (1, 1, 1)
    assert view["roots"][2]["seconds"] is None and view["roots"][2]["answers"] == "e"


def test_nothing_is_a_trace_too() -> None:
    view = trace_view(Trace("run", "run-1", "run-1", [], skipped=0))
    assert (view["spans"], view["started_at"], view["roots"]) == (0, None, [])


def test_a_deep_chain_is_no_trouble() -> None:
    root = last = node("n", 0)
    for _ in range(3000):
        last.children.append(node("n", 0))
        [last] = last.children
    assert trace_view(Trace("run", "run-1", "run-1", [root], skipped=0))["spans"] == 3001
