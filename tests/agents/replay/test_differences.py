"""Differences are told by JSON path, and briefly."""

from typing import Any

import pytest

from envwright.agents.replay.differences import difference


@pytest.mark.parametrize(
    ("expected", "actual", "found"),
    [
        ({"a": 1}, {"a": 1.0}, ({}, {})),
        ({"a": 1}, {"a": True}, ({"$.a": 1}, {"$.a": True})),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, ({"$.a.b[1]": 2}, {"$.a.b[1]": 3})),
        ({"a": [1, 2]}, {"a": [1]}, ({"$.a[1]": 2}, {})),
        ({"a": None}, {}, ({"$.a": None}, {})),
        ({}, {"a": None}, ({}, {"$.a": None})),
        ({"a": {}}, {"a": []}, ({"$.a": {}}, {"$.a": []})),
        ("x", "y", ({"$": "x"}, {"$": "y"})),
    ],
)
def test_what_differs_is_told_on_both_sides(expected: Any, actual: Any, found: Any) -> None:
    assert difference(expected, actual) == found


def test_a_long_value_is_told_by_its_beginning_and_digest() -> None:
    left, right = difference({"a": "x" * 1000}, {"a": "x" * 999 + "y"})
    assert len(left["$.a"]) < 300 and left["$.a"].startswith('"xxx')
    assert left["$.a"] != right["$.a"]


def test_no_more_than_twenty_paths_are_told() -> None:
    left, right = difference({"a": list(range(99))}, {"a": list(range(1, 100))})
    assert len(left) == len(right) == 20
