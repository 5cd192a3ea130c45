"""Mixtures: two domains in one file are told apart; one domain is never cut."""

from random import Random

from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.mining.mixtures import parts_of
from support.tool_logs import failed, ok, trace

SHOPPER = {"name": "Ada", "email": "a@b.org", "orders": ["o1"], "cards": []}
FLYER = {"name": "Bo", "email": "b@b.org", "flights": ["f1"], "miles": 5, "born": "1990"}


def shop(number):
    return trace(
        number,
        ok("get_user", SHOPPER, user="u1"),
        ok("get_order", {"order": "o1", "total": number}, order="o1"),
    )


def airline(number):
    return trace(
        number,
        ok("get_user", FLYER, user="u2"),
        ok("get_flight", {"flight": "f1", "seats": number}, flight="f1"),
    )


def tools(parts):
    return sorted(sorted({c.tool for t in part for c in t.calls}) for part in parts)


def test_a_tool_that_gives_two_kinds_of_rows_tells_two_domains_apart():
    parts = parts_of([shop(1), airline(2), shop(3), airline(4)])
    assert [len(part) for part in parts] == [2, 2]
    assert tools(parts) == [["ns.get_flight", "ns.get_user"], ["ns.get_order", "ns.get_user"]]


def test_traces_without_rows_go_where_their_tools_are():
    lost = trace(9, failed("get_flight", "Error: no such flight", flight="f9"), ok("think", ""))
    parts = parts_of([shop(1), airline(2), lost])
    assert [t.task for t in next(p for p in parts if airline(2) in p)] == ["2", "9"]


def test_domains_without_a_conflict_stay_together():
    other = trace(5, ok("get_book", {"book": "b1", "author": "Cy"}, book="b1"))
    assert len(parts_of([shop(1), other])) == 1
    assert [len(part) for part in parts_of([shop(1), airline(2), other])] in ([2, 1], [1, 2])


def test_one_domain_is_not_cut_where_a_tool_gives_several_kinds_of_rows():
    kinds = [{"a": 1, "b": 2}, {"x": 1, "y": 2, "z": 3}]
    traces = [trace(n, ok("query", kinds[n], n=n), ok("get_user", SHOPPER)) for n in (0, 1)]
    assert len(parts_of(traces)) == 1


def test_rows_that_gain_fields_are_of_one_kind():
    after = {**SHOPPER, "note": "moved"}
    assert len(parts_of([shop(1), trace(2, ok("get_user", after, user="u1"))])) == 1


def test_calls_whose_service_the_log_names_need_no_telling_apart():
    named = [
        trace(n, Call("get_user", {}, True, row, service=service))
        for n, (row, service) in enumerate([(SHOPPER, "shop"), (FLYER, "airline")])
    ]
    assert len(parts_of(named)) == 1


def test_the_parts_do_not_depend_on_the_order_of_the_traces():
    traces = [shop(1), airline(2), shop(3), airline(4), trace(5, ok("think", ""))]
    want = [{t.task for t in part} for part in parts_of(traces)]
    for seed in range(5):
        Random(seed).shuffle(traces)
        assert [{t.task for t in part} for part in parts_of(traces)] == want


def test_no_traces_are_one_part():
    assert parts_of([]) == ((),)
