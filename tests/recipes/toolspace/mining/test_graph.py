"""The tool graph: which edges a log shows, how they are weighted, and what shows nothing."""

from math import log
from random import Random

import pytest

from envwright.events import encode
from envwright.recipes.toolspace.mining.domains import mine_domains
from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.graph import draw_graph, graph_json
from envwright.recipes.toolspace.mining.tables import mine_tables
from envwright.recipes.toolspace.mining.trails import follow_trails
from support.tool_logs import failed, history, ok, order, trace

WRITERS = ("ns.pay", "ns.close_order")


def graph(*traces):
    found = history(*traces)
    effects = {tool: "write" if tool in WRITERS else "read" for tool in found.tools}
    tables = mine_tables(found, find_entities(found), effects)
    return draw_graph(follow_trails(found, effects, mine_domains(found, tables), {}))


def edges(*traces):
    return [(e.kind, e.source, e.target, e.support) for e in graph(*traces).edges]


def listed(n):
    return ok("list_orders", [{"order_id": f"order-{n}"}], user=f"u{n}")


def passing(count=3):
    return [trace(n, listed(n), ok("ship", "done", order=f"order-{n}")) for n in range(count)]


def test_a_value_that_goes_from_one_tool_to_another_is_one_data_edge():
    (edge,) = graph(*passing()).edges
    assert (edge.kind, edge.source, edge.target) == ("data", "ns.list_orders", "ns.ship")
    assert edge.support == 3
    (carried,) = edge.transfers
    assert (carried.output, carried.input) == (("*", "order_id"), ("order",))


def test_shuffled_traces_give_a_graph_of_equal_bytes():
    traces = passing(12)
    shuffled = list(traces)
    Random(4).shuffle(shuffled)
    assert encode(graph_json(graph(*traces))) == encode(graph_json(graph(*shuffled)))


def test_what_lies_between_does_not_hide_the_earliest_producer():
    between = [
        trace(
            n, listed(n), ok("echo", f"order-{n}", text="x"), ok("ship", "ok", order=f"order-{n}")
        )
        for n in range(3)
    ]
    assert edges(*between) == [("data", "ns.list_orders", "ns.ship", 3)]


def test_a_trace_that_stands_in_two_files_counts_once():
    once = trace(1, listed(1), ok("ship", "done", order="order-1"))
    assert edges(once, once) == []


@pytest.mark.parametrize("value", [True, 10, "abc", None])
def test_what_identifies_nothing_makes_no_edge(value):
    traces = [
        trace(n, ok("a", {"x": value}, n=f"first-{n}"), ok("b", "ok", y=value)) for n in range(4)
    ]
    assert edges(*traces) == []


def test_what_the_user_typed_makes_no_edge():
    typed = [
        trace(n, listed(n), ok("ship", "ok", order=f"order-{n}"), said=f"ship order-{n} please")
        for n in range(4)
    ]
    assert edges(*typed) == []


def test_what_occurs_in_many_traces_makes_no_edge_unless_it_keys_a_table():
    common = [
        trace(n, ok("list_all", ["shared-id"], n=f"u{n}"), ok("ship", "ok", order="shared-id"))
        for n in range(4)
    ]
    assert edges(*common) == []
    keyed = [
        trace(n, ok("list_all", ["shared-0"], n=f"u{n}"), get(f"shared-{n % 3}"), get("shared-0"))
        for n in range(6)
    ]
    assert ("data", "ns.list_all", "ns.get_order", 6) in edges(*keyed)


def get(key):
    return ok("get_order", order(key), order_id=key)


def test_a_call_does_not_produce_what_it_was_given():
    echoed = [trace(n, get(f"order-{n}"), ok("ship", "ok", order=f"order-{n}")) for n in range(4)]
    assert ("data", "ns.get_order", "ns.ship", 4) not in edges(*echoed)


def test_a_failed_call_and_its_other_try_are_a_retry_and_nothing_else():
    traces = [
        trace(
            n, failed("pay", "no card", order="o1", card="a"), ok("pay", "ok", order="o1", card="b")
        )
        for n in range(3)
    ]
    (edge,) = graph(*[trace(f"{n}", *t.calls, get(f"x{n}")) for n, t in enumerate(traces)]).edges
    assert (edge.kind, edge.source, edge.target) == ("retry", "ns.pay", "ns.pay")
    assert (edge.error_class, edge.changed_paths) == ("rejected", (("card",),))
    assert edge.weight == 0


def written(key, seen, count=4):
    return [
        trace(n, *[get(f"o-{k}-{n}") for k in (1, 2)], close(f"o-{key}-{n}"), get(f"o-{seen}-{n}"))
        for n in range(count)
    ]


def close(key):
    return ok("close_order", "closed", order_id=key)


def test_a_write_leads_to_what_touches_the_same_row_later():
    assert ("state", "ns.close_order", "ns.get_order", 4) in edges(*written(1, 1))


def test_a_write_leads_to_nothing_that_touches_another_row():
    assert not [edge for edge in edges(*written(1, 2)) if edge[0] == "state"]


def test_what_fails_before_a_write_and_works_after_it_waited_for_it():
    traces = [
        trace(
            n,
            failed("ship", "not paid", order=f"order-{n}"),
            ok("pay", "ok", sum=f"{n}"),
            ok("ship", "ok", order=f"order-{n}"),
        )
        for n in range(3)
    ]
    assert edges(*traces) == [("state", "ns.pay", "ns.ship", 3)]


def test_weights_are_shares_times_the_logarithm_of_support():
    both = [
        *passing(3),
        *[
            trace(f"b{n}", listed(100 + n), ok("track", "x", order=f"order-{100 + n}"))
            for n in range(2)
        ],
    ]
    weights = {edge.target: edge.weight for edge in graph(*both).edges}
    assert weights["ns.ship"] == pytest.approx(3 / 5 * log(4))
    assert weights["ns.track"] == pytest.approx(2 / 5 * log(3))


def test_one_trace_is_no_edge():
    assert edges(*passing(1)) == []
