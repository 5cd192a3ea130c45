"""Tests of expressions over lists and tables."""

from typing import Any

import pytest

from support.program_parts import (
    arg,
    compare,
    const,
    element,
    items,
    loop,
    of_row,
    over,
    var,
    zipped,
)
from support.situations import evaluated, refusal

IS_ONE = compare(element("k"), "==", const(1))


def test_sorted_orders_a_list_of_all_types():
    given_list = [{}, "a", 10, [], True, None, 9.5]
    expected = [None, True, 9.5, 10, "a", [], {}]
    assert evaluated(over("sorted", arg("x")), x=given_list) == expected


@pytest.mark.parametrize("x", [None, "text", {"a": 1}, 5])
def test_only_a_list_can_be_sorted(x):
    assert "only a list can be sorted" in refusal(over("sorted", arg("x")), x=x)


def test_sorted_leaves_the_list_as_it_is():
    given_list = ["b", "a"]
    evaluated(over("sorted", arg("x")), x=given_list)
    assert given_list == ["b", "a"]


def test_map_gives_what_its_body_gives():
    assert evaluated(loop("map", arg("x"), body=element("k")), x=[{"k": 1}, {"k": 2}]) == [1, 2]
    assert evaluated(loop("map", arg("x"), body=const(0)), x=[]) == []


def test_filter_keeps_what_holds():
    given_list = [{"k": 1, "v": "a"}, {"k": 2}, {"k": 1.0, "v": "b"}]
    assert evaluated(loop("filter", arg("x"), holds=IS_ONE), x=given_list) == [
        given_list[0],
        given_list[2],
    ]


def test_first_stops_at_what_holds():
    expr = loop("first", arg("x"), holds=IS_ONE, path=["v"])
    assert evaluated(expr, x=[{"k": 2}, {"k": 1, "v": "a"}, 5]) == "a"
    assert refusal(expr, x=[{"k": 2}]) == "Error: the list has no such element"
    assert refusal(expr, x=[{"k": 1}]) == "Error: the element has no v"


@pytest.mark.parametrize("op", ["map", "filter", "first", "every", "mapping"])
def test_loops_go_over_lists_only(op):
    parts: dict[str, Any] = {
        "map": {"body": const(1)},
        "mapping": {"name": const("a"), "value": const(1)},
    }
    expr = loop(op, arg("x"), **parts.get(op, {"holds": const(True)}))
    assert f"`{op}` takes a list, not 'text'" in refusal(expr, x="text")


def test_zip_pairs_lists_of_one_length():
    expr = zipped(old=arg("x"), new=arg("y"))
    assert evaluated(expr, x=[1, 2], y=["a", "b"]) == [
        {"new": "a", "old": 1},
        {"new": "b", "old": 2},
    ]
    assert evaluated(expr, x=[], y=[]) == []


def test_zip_refuses_lists_of_other_lengths_and_other_values():
    expr = zipped(old=arg("x"), new=arg("y"))
    assert "new has 0, old has 2" in refusal(expr, x=[1, 2], y=[])
    assert "`zip` takes lists, not None" in refusal(expr, x=[1, 2])


def test_concat_joins_the_lists_in_a_list():
    assert evaluated(over("concat", arg("x")), x=[[1], [], [2, [3]]]) == [1, 2, [3]]
    assert "`concat` takes lists, not 1" in refusal(over("concat", arg("x")), x=[1])


def test_length_counts():
    assert evaluated(over("length", arg("x")), x=[1, [2, 3]]) == 2


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([], 0),
        ([1, 2], 3),
        ([0.1] * 10, 0.9999999999999999),
        ([46.5, -220.32999999999998], -173.82999999999998),
        ([0.1, 0.2, 0.3], 0.6000000000000001),
        ([0.3, 0.2, 0.1], 0.6),
    ],
)
def test_sum_adds_from_the_left_as_a_loop_of_floats_does(numbers, expected):
    assert evaluated(over("sum", arg("x")), x=numbers) == expected


@pytest.mark.parametrize("x", [[1, "2"], [None], [True]])
def test_sum_takes_numbers(x):
    assert "`sum` takes a list of numbers" in refusal(over("sum", arg("x")), x=x)


def updated(**parts: Any) -> Any:
    return {
        "op": "updated",
        "of": arg("items"),
        "by": arg("orders"),
        "named": "order",
        "key": ["id"],
        "equals": var("order", "old"),
        "set": [{"path": ["id"], "value": var("order", "new")}],
        **parts,
    }


def ids(*swaps: tuple[str, str], of: str) -> list[str]:
    orders = [{"old": old, "new": new} for old, new in swaps]
    found = evaluated(updated(), items=[{"id": i} for i in of], orders=orders)
    return [item["id"] for item in found]


def test_updated_changes_the_elements_that_orders_name():
    assert ids(("c", "z"), ("a", "x"), of="abc") == ["x", "b", "z"]
    assert ids(of="ab") == ["a", "b"]


def test_updated_takes_equal_keys_one_after_another():
    assert ids(("a", "x"), ("a", "y"), of="aab") == ["x", "y", "b"]


def test_updated_sees_what_the_orders_before_left():
    assert ids(("a", "b"), ("b", "c"), of="ab") == ["c", "b"]


def test_updated_sets_from_the_order_and_from_the_element_as_it_was():
    changes = [
        {"path": ["id"], "value": const("new")},
        {"path": ["was"], "value": items(element("id"), element("n"), var("order", "old"))},
        {"path": ["in", "n"], "value": element("n")},
    ]
    given_items = [{"id": "a", "n": 1, "in": {"n": 0}}]
    found = evaluated(updated(set=changes), items=given_items, orders=[{"old": "a"}])
    assert found == [{"id": "new", "in": {"n": 1}, "n": 1, "was": ["a", 1, "a"]}]
    assert given_items == [{"id": "a", "n": 1, "in": {"n": 0}}]


@pytest.mark.parametrize(
    ("item", "order", "message"),
    [
        ({"id": "a"}, {"old": "b"}, "no element has id 'b'"),
        ({"id": 1}, {"old": True}, "no element has id True"),
        ({}, {"old": {"a": 1}}, "no element has id an object"),
        (5, {"old": []}, "no element has id a list"),
        ({"id": "a"}, {"old": "a"}, "order has no new"),
    ],
)
def test_updated_says_what_is_missing(item, order, message):
    assert message in refusal(updated(), items=[item], orders=[order])


def test_rows_are_those_that_match_in_the_order_of_keys():
    ada = {"path": ["user"], "equals": arg("x")}
    dear = {"path": ["total"], "equals": const(7.0)}
    totals = loop("map", {"op": "rows", "table": "orders", "where": [ada]}, body=element("total"))
    assert evaluated(totals, x="ada") == [25, 7]
    assert evaluated({"op": "keys", "table": "orders", "where": [ada]}, x="ada") == ["#1", "#3"]
    assert evaluated({"op": "keys", "table": "orders", "where": [ada, dear]}, x="ada") == ["#3"]
    assert evaluated({"op": "keys", "table": "orders", "where": [ada]}, x="nobody") == []


def test_all_rows_are_those_without_a_condition():
    assert evaluated({"op": "keys", "table": "orders"}) == ["#1", "#2", "#3"]
    assert len(evaluated({"op": "rows", "table": "orders"})) == 3


def test_a_condition_may_look_into_another_row():
    same_user = {"path": ["user"], "equals": of_row("orders", arg("id"), "user")}
    assert evaluated({"op": "keys", "table": "orders", "where": [same_user]}, id="#3") == [
        "#1",
        "#3",
    ]
