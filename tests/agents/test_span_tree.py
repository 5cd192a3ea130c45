"""The tree of spans: parents before children, rounds apart, events where they were written."""

from typing import Any

from envwright.agents.span_tree import Node, grown, node_of, span_of
from envwright.events.catalog import RunResumed
from support.facts import recorded


def node(span: str, parent: str | None = None, start: int = 0, **attributes: Any) -> Node:
    return Node(
        span=span,
        trace="t",
        parent=parent,
        name=span,
        start=start,
        end=start + 1_500_000_000,
        state="ok",
        attributes=attributes,
    )


def delivery(span: str, role: str, parent: str | None = None, start: int = 0) -> Node:
    about = {"envwright.event.id": "e", "envwright.role": role}
    return node(span, parent, start, **about)


def test_children_stand_below_their_parents_in_the_order_of_time() -> None:
    nodes = [node("c", "a", 5), node("b", "a", 3), node("a", None, 1), node("d", "b", 4)]
    [root] = grown(nodes, [])
    assert [each.span for each in root.walk()] == ["a", "b", "d", "c"]


def test_a_span_whose_parent_is_not_there_is_a_root() -> None:
    roots = grown([node("b", "gone", 2), node("a", None, 1)], [])
    assert [root.span for root in roots] == ["a", "b"]


def test_a_delivery_to_the_planner_is_a_root_even_below_a_round_that_settled() -> None:
    nodes = [
        delivery("judge", "judge", None, 1),
        delivery("planner", "planner", "judge", 2),
        delivery("solver", "solver", "judge", 3),
    ]
    roots = grown(nodes, [])
    assert [root.span for root in roots] == ["judge", "planner"]
    assert [child.span for child in roots[0].children] == ["solver"]


def test_a_chain_of_thousands_is_walked() -> None:
    nodes = [node(str(n), str(n - 1) if n else None, n) for n in range(5000)]
    [root] = grown(nodes, [])
    assert sum(1 for _ in root.walk()) == 5000


def test_events_stand_on_the_span_that_wrote_them() -> None:
    inside, outside = recorded([RunResumed(run="r"), RunResumed(run="r")])
    inside = inside.model_copy(update={"traceparent": f"00-{'1' * 32}-aaaa-03"})
    assert span_of(inside) == "aaaa" and span_of(outside) is None
    [root] = grown([node("aaaa")], [inside, outside])
    assert root.events == [inside]


def test_a_node_is_what_the_span_file_says() -> None:
    found = node_of(
        {
            "spanId": "a",
            "traceId": "t",
            "parentSpanId": "p",
            "name": "chat m",
            "startTimeUnixNano": "1000000000",
            "endTimeUnixNano": "3500000000",
            "attributes": {
                "gen_ai.usage.input_tokens": 5,
                "gen_ai.usage.output_tokens": 2,
                "error.type": "TimeoutError",
            },
            "status": {"code": 2},
            "instance": "host:1",
            "links": [
                {
                    "spanId": "l",
                    "attributes": [
                        {"key": "envwright.link", "value": {"stringValue": "cause"}},
                        {"key": "other", "value": {"intValue": "1"}},
                    ],
                }
            ],
        }
    )
    assert (found.seconds, found.tokens, found.state, found.error) == (
        2.5,
        (5, 2),
        "error",
        "TimeoutError",
    )
    assert (found.links, found.instance, found.is_delivery) == ((("cause", "l"),), "host:1", False)
