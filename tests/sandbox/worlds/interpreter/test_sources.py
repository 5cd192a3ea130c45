"""Tests of expressions that read."""

from typing import Any

import pytest

from envwright.sandbox.worlds import Absence
from envwright.sandbox.worlds.interpreter.sources import entry_step
from support.program_parts import arg, const, element, entry, of_row, text, var
from support.situations import evaluated, refusal

ORDINAL = {"op": "ordinal", "counter": "c"}


def test_const_is_its_value():
    assert evaluated(const({"a": [1, None]})) == {"a": [1, None]}


def test_arg_follows_its_path():
    assert evaluated(arg("x", 1, "y"), x=[0, {"y": "found"}]) == "found"


@pytest.mark.parametrize("x", [None, [], {"y": 1}, "text"])
def test_an_absent_arg_is_null(x):
    assert evaluated(arg("x", 0, "y"), x=x) is None
    assert evaluated(arg("x")) is None


def test_of_row_reads_rows_of_any_table():
    assert evaluated(of_row("orders", const("#1"), "total")) == 25
    assert evaluated(of_row("users", const(7))) == {"cards": {}}


def test_of_row_follows_keys_over_several_rows():
    balance = of_row("users", of_row("orders", arg("id"), "user"), "cards", "c1", "balance")
    assert evaluated(balance, id="#3") == 5
    assert "there is no bo in users" in refusal(balance, id="#2")


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (of_row("orders", const("#9")), "Error: there is no #9 in orders"),
        (of_row("orders", const("#1"), "no", 0), "Error: #1 has no no[0]"),
        (of_row("orders", const(None)), "Error: a key is a text or a whole number, not None"),
        (of_row("orders", const(True)), "Error: a key is a text or a whole number, not True"),
        (of_row("orders", const(1.5)), "Error: a key is a text or a whole number, not 1.5"),
    ],
)
def test_of_row_says_what_is_missing(expr, message):
    assert refusal(expr) == message


def test_variables_are_followed_inside():
    names = {"order": {"items": [{"id": "x"}]}}
    assert evaluated(var("order", "items", 0, "id"), names) == "x"
    assert refusal(var("order", "total"), names) == "Error: order has no total"


def test_an_element_is_followed_inside():
    assert evaluated(element(), {"element": 5}) == 5
    assert evaluated(element("k"), {"element": {"k": 6}}) == 6
    assert refusal(element("no"), {"element": 1}) == "Error: an element has no no"


CONTAINERS: Any = {"o": {"a": {"price": 1}, "2": "two"}, "l": [5, {"price": 6}]}


@pytest.mark.parametrize(
    ("of", "key", "path", "expected"),
    [
        ("o", "a", ["price"], 1),
        ("o", 2, [], "two"),
        ("l", 0, [], 5),
        ("l", 1, ["price"], 6),
    ],
)
def test_an_entry_is_found_by_a_computed_key(of, key, path, expected):
    assert evaluated(entry(arg(of), arg("k"), *path), k=key, **CONTAINERS) == expected


@pytest.mark.parametrize(
    ("of", "key", "path", "message"),
    [
        ("o", "b", [], "the value has no b"),
        ("o", "a", ["no"], "the value has no a.no"),
        ("o", None, [], "a key is a text or a whole number"),
        ("l", 2, [], "the value has no [2]"),
        ("l", -1, [], "a list has no element -1"),
        ("l", "0", [], "the value has no 0"),
        ("l", True, [], "a key is a text or a whole number"),
        ("k", 0, [], "`entry` takes a object or list"),
    ],
)
def test_an_entry_that_is_not_there_is_an_error(of, key, path, message):
    assert message in refusal(entry(arg(of), arg("k"), *path), k=key, **CONTAINERS)


def test_a_computed_step_into_nothing_is_a_name():
    assert entry_step(None, 5) == "5"
    with pytest.raises(Absence):
        entry_step([], -1)


@pytest.mark.parametrize(
    ("form", "expected"),
    [("utc", "2024-05-15T15:00:00Z"), ("naive", "2024-05-15T15:00:00"), ("date", "2024-05-15")],
)
def test_the_clock_has_three_forms(form, expected):
    assert evaluated({"op": "clock", "form": form}) == expected


def test_an_ordinal_is_the_same_in_all_of_a_call():
    assert evaluated({"op": "list", "items": [ORDINAL, ORDINAL]}) == [1, 1]
    assert evaluated(text("certificate_", ORDINAL)) == "certificate_1"
