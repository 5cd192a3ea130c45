"""Tests of changes at a path: new containers along it, and nothing changed in place."""

from typing import Any

import pytest

from envwright.sandbox.worlds import Refusal
from envwright.sandbox.worlds.interpreter.places import copying_cost, placed, removed

VALUE: dict[str, Any] = {"a": {"b": [1, {"c": 2}]}, "n": 5}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("n",), {**VALUE, "n": 9}),
        (("new",), {**VALUE, "new": 9}),
        (("a", "b", 0), {**VALUE, "a": {"b": [9, {"c": 2}]}}),
        (("a", "b", 1, "d"), {**VALUE, "a": {"b": [1, {"c": 2, "d": 9}]}}),
    ],
)
def test_a_value_is_put_in_place_in_a_copy(path, expected):
    before = repr(VALUE)
    assert placed(VALUE, path, 9) == expected
    assert repr(VALUE) == before


def test_what_lies_beside_the_path_is_shared():
    changed = placed(VALUE, ("n",), 9)
    assert changed["a"] is VALUE["a"]


def test_a_new_field_stands_in_order():
    assert list(placed(VALUE, ("b",), 9)) == ["a", "b", "n"]


@pytest.mark.parametrize("path", [("no", "x"), ("a", "b", 2), ("a", "b", "x"), ("n", "x"), (0,)])
def test_a_place_that_is_not_there_is_an_error(path):
    with pytest.raises(Refusal, match="has no place for"):
        placed(VALUE, path, 9)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("n",), {"a": VALUE["a"]}),
        (("a", "b", 0), {**VALUE, "a": {"b": [{"c": 2}]}}),
        (("a", "b", 1, "c"), {**VALUE, "a": {"b": [1, {}]}}),
    ],
)
def test_what_is_removed_is_missing_from_a_copy(path, expected):
    before = repr(VALUE)
    assert removed(VALUE, path) == expected
    assert repr(VALUE) == before


@pytest.mark.parametrize("path", [("no",), ("a", "b", 2), ("a", "no", "x"), ("n", 0)])
def test_what_is_not_there_cannot_be_removed(path):
    with pytest.raises(Refusal, match="Error: there is no .* to remove"):
        removed(VALUE, path)


def test_copying_costs_by_the_containers_along_the_path():
    wide = {"a": [0] * 160, "n": 5}
    assert copying_cost(wide, ("a", 0)) == 11
    assert copying_cost(wide, ("n", "x", "y")) == 1
    assert copying_cost(5, ("n",)) == 1
