"""Places in a state."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import digest
from envwright.sandbox.verifiers import NOTHING, find, frame_digest, same, without

STATE = {"tables": {"orders": {"#1": {"items": ["a", "b", "c"], "note": None}}}}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, 1.5, "", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("tables", "orders", "#1", "items", 1), "b"),
        (("tables", "orders", "#1", "note"), None),
        (("tables", "orders", "#2"), NOTHING),
        (("tables", "orders", "#1", "items", 3), NOTHING),
        (("tables", "orders", "#1", "items", -1), NOTHING),
        (("tables", "orders", "#1", "items", "1"), NOTHING),
        (("tables", 0), NOTHING),
        (("tables", "orders", "#1", "note", "deeper"), NOTHING),
    ],
)
def test_a_place_has_what_stands_there_or_nothing(path, found):
    assert find(STATE, path) is found or find(STATE, path) == found


def test_left_out_places_are_gone_and_the_original_is_whole():
    rest = without(STATE, [("tables", "orders", "#1", "items", 0), ("tables", "orders", "#9")])
    assert rest == {"tables": {"orders": {"#1": {"items": ["b", "c"], "note": None}}}}
    assert STATE["tables"]["orders"]["#1"]["items"] == ["a", "b", "c"]


def test_two_items_of_one_list_are_left_out_by_their_first_places():
    assert without(["a", "b", "c"], [(0,), (1,)]) == ["c"]


def test_a_place_and_one_below_it_leave_out_the_whole_place():
    assert without(STATE, [("tables", "orders"), ("tables", "orders", "#1")]) == {"tables": {}}


def test_what_is_not_on_a_path_is_shared_and_not_copied():
    state = {"a": {"x": 1}, "b": {"y": 2}}
    rest = without(state, [("a", "x")])
    assert rest["b"] is state["b"]


def test_a_frame_digest_is_of_the_canonical_rest():
    path = ("tables", "orders")
    assert frame_digest(STATE, path, [("#1", "note")]) == digest({"#1": {"items": ["a", "b", "c"]}})


@given(JSON, JSON)
def test_what_is_surely_the_same_has_one_digest(left, right):
    if same(left, right):
        assert digest(left) == digest(right)


@given(JSON)
def test_a_value_is_the_same_as_itself(value):
    assert same(value, value)


def test_true_is_not_one():
    assert not same({"a": True}, {"a": 1})
