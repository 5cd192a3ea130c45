"""Tests of expressions that build objects and texts, or choose."""

import pytest

from support.program_parts import (
    arg,
    coalesce,
    compare,
    const,
    either,
    element,
    entry,
    items,
    loop,
    obj,
    of_row,
    over,
    text,
    var,
)
from support.situations import evaluated, refusal


def test_object_and_list_hold_their_parts_with_names_in_order():
    value = evaluated(obj(b=arg("x"), a=items()), x=1)
    assert value == {"b": 1, "a": []}
    assert list(value) == ["a", "b"]


def test_a_mapping_has_an_entry_for_each_element():
    expr = loop("mapping", arg("x"), name=element("k"), value=element("v"))
    value = evaluated(expr, x=[{"k": "b", "v": 1}, {"k": 3, "v": 2}, {"k": "b", "v": 9}])
    assert value == {"3": 2, "b": 9}
    assert list(value) == ["3", "b"]


@pytest.mark.parametrize("name", [None, True, [], 1.5])
def test_a_mapping_needs_names(name):
    expr = loop("mapping", items(arg("x")), name=element(), value=element())
    assert refusal(expr, x=name)


def test_a_loop_with_a_name_is_seen_in_loops_inside():
    inner = loop("map", arg("y"), body=items(var("outer"), element()))
    assert evaluated(loop("map", arg("x"), "outer", body=inner), x=[1, 2], y=[3]) == [
        [[1, 3]],
        [[2, 3]],
    ]


def test_merged_takes_the_last_of_equal_names():
    expr = {"op": "merged", "objects": [arg("x"), arg("y")]}
    value = evaluated(expr, x={"a": 1, "c": 2}, y={"b": 3, "a": 4})
    assert value == {"a": 4, "b": 3, "c": 2}
    assert list(value) == ["a", "b", "c"]
    assert "`merged` takes a object" in refusal(expr, x={}, y=[])


def test_without_leaves_fields_out():
    expr = {"op": "without", "of": arg("x"), "fields": ["a", "no"]}
    assert evaluated(expr, x={"a": 1, "b": 2}) == {"b": 2}


def test_entries_are_in_the_order_of_keys():
    expected = [{"key": "a", "value": 2}, {"key": "b", "value": 1}]
    assert evaluated(over("entries", arg("x")), x={"a": 2, "b": 1}) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("a", "<a>"), (25, "<25>"), (173.82999999999993, "<173.82999999999993>"), (1e16, "<1e+16>")],
)
def test_a_text_joins_texts_and_numbers(value, expected):
    assert evaluated(text("<", arg("x"), ">"), x=value) == expected


@pytest.mark.parametrize("value", [None, True, ["a"], {}])
def test_a_text_is_made_of_nothing_else(value):
    assert "`text` takes a text or number" in refusal(text("<", arg("x")), x=value)


def test_a_joined_text_is_in_canonical_form():
    assert evaluated(text("Zoe", arg("x")), x="\u0308") == "Zo\u00eb"


def test_a_text_has_a_limit():
    expr = text(arg("x"), arg("x"))
    assert evaluated(expr, limits={"text": 4}, x="ab") == "abab"
    with pytest.raises(Exception, match="more than 3 characters"):
        evaluated(expr, limits={"text": 3}, x="ab")


@pytest.mark.parametrize(("x", "expected"), [(5, 5), (None, 0), ("", ""), (False, False), (0, 0)])
def test_coalesce_is_the_first_that_is_not_null(x, expected):
    assert evaluated(coalesce(arg("x"), const(0)), x=x) == expected


def test_coalesce_passes_over_what_is_absent():
    absent = of_row("orders", const("#9"), "total")
    assert evaluated(coalesce(absent, arg("x"), const(0)), x=3) == 3
    assert evaluated(coalesce(absent, entry(arg("x"), const("no")), const(0)), x={}) == 0
    assert evaluated(coalesce(absent, const(None))) is None


def test_coalesce_does_not_pass_over_mistakes():
    assert "`length` takes a list" in refusal(coalesce(over("length", arg("x")), const(0)), x=1)


def test_if_evaluates_one_branch_only():
    absent = of_row("orders", const("#9"))
    expr = either(compare(arg("x"), ">", const(0)), const("payment"), absent)
    assert evaluated(expr, x=1) == "payment"
    assert "there is no #9" in refusal(expr, x=0)


@pytest.mark.parametrize("x", [None, 0, 1, "true"])
def test_only_true_and_false_decide(x):
    assert "`if` takes a boolean" in refusal(either(arg("x"), const(1), const(2)), x=x)
