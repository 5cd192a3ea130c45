"""Tests of predicates."""

import pytest

from support.program_parts import (
    arg,
    both,
    compare,
    const,
    element,
    entry,
    exists,
    loop,
    neither,
    of_row,
    over,
    var,
)
from support.situations import evaluated, refusal

FAILING = over("length", arg("none"))
"""An expression that is an error where it is evaluated."""


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (of_row("orders", const("#1")), True),
        (of_row("orders", const("#9")), False),
        (of_row("orders", const("#1"), "items", 0, "price"), True),
        (of_row("orders", const("#1"), "items", 1), False),
        (of_row("users", of_row("orders", const("#9"), "user")), False),
        (entry(of_row("users", const("ada"), "cards"), const("c1")), True),
        (entry(of_row("users", const("ada"), "cards"), const("c2")), False),
        (loop("first", arg("x"), holds=const(True), path=[]), False),
        (arg("none"), True),
        (var("v", "k"), True),
        (var("v", "no"), False),
        (const(None), True),
    ],
)
def test_exists_asks_whether_something_is_there(expr, expected):
    assert evaluated(exists(expr), {"v": {"k": None}}, x=[]) is expected


def test_exists_does_not_hide_mistakes():
    assert "a key is a text" in refusal(exists(of_row("orders", const(None))))


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (1, 1, True),
        (1, True, False),
        (0, False, False),
        ("1", 1, False),
        (None, None, True),
        ("Zo\u00eb", "Zo\u00eb", True),
        ({"a": [1]}, {"a": [1]}, True),
        ({"a": [1]}, {"a": [True]}, False),
        ([], {}, False),
        (0.30000000000000004, 0.3, False),
    ],
)
def test_equality_is_of_values(left, right, expected):
    same, other = (compare(arg("x"), sign, arg("y")) for sign in ("==", "!="))
    assert evaluated(same, x=left, y=right) is expected
    assert evaluated(other, x=left, y=right) is not expected


@pytest.mark.parametrize(
    ("left", "right", "order"), [(1, 2, -1), (2.5, 2, 1), (3, 3, 0), ("a", "b", -1), ("b", "b", 0)]
)
def test_order_is_of_numbers_and_of_texts(left, right, order):
    found = {
        sign: evaluated(compare(arg("x"), sign, arg("y")), x=left, y=right)
        for sign in ("<", "<=", ">", ">=")
    }
    assert found == {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}


@pytest.mark.parametrize(
    ("left", "right"), [(1, "2"), (None, 1), (True, False), ([1], [2]), ("a", None)]
)
def test_nothing_else_has_an_order(left, right):
    expr = compare(arg("x"), "<", arg("y"))
    assert "`<` compares two numbers or two texts" in refusal(expr, x=left, y=right)


def test_in_finds_equal_elements():
    expr = {"op": "in", "value": arg("x"), "of": arg("y")}
    assert evaluated(expr, x={"a": 1}, y=[2, {"a": 1}]) is True
    assert evaluated(expr, x=1, y=[True, "1"]) is False
    assert "`in` takes a list" in refusal(expr, x=1, y="123")


def test_contains_finds_a_text_in_a_text():
    expr = {"op": "contains", "text": arg("x"), "part": const("gift_card")}
    assert evaluated(expr, x="gift_card_1") is True
    assert evaluated(expr, x="card") is False
    assert "`contains` takes a text" in refusal(expr, x=["gift_card"])


def test_every_holds_for_all_or_stops():
    expr = loop("every", arg("x"), holds=compare(element(), ">", const(0)))
    assert evaluated(expr, x=[]) is True
    assert evaluated(expr, x=[1, 2]) is True
    assert evaluated(expr, x=[0, "not looked at"]) is False


def test_and_or_not():
    yes, no = const(True), const(False)
    assert evaluated(both(yes, yes)) is True
    assert evaluated(both(yes, no)) is False
    assert evaluated({"op": "or", "terms": [no, no]}) is False
    assert evaluated({"op": "or", "terms": [no, yes]}) is True
    assert evaluated(neither(no)) is True


def test_and_and_or_stop_at_what_decides():
    wrong = compare(FAILING, "==", const(0))
    assert evaluated(both(const(False), wrong)) is False
    assert evaluated({"op": "or", "terms": [const(True), wrong]}) is True
    assert "`length` takes a list" in refusal(both(const(True), wrong))


@pytest.mark.parametrize("value", [None, 1, "true", []])
def test_only_true_and_false_are_judged(value):
    assert "`and` takes a boolean" in refusal(both(arg("x")), x=value)
    assert "`not` takes a boolean" in refusal(neither(arg("x")), x=value)
    every = loop("every", const([1]), holds=arg("x"))
    assert "`every` takes a boolean" in refusal(every, x=value)
