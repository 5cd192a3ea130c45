"""Tests of JSON values as worlds hold them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import encode, equal
from envwright.events.errors import CanonicalError
from envwright.sandbox.worlds.json_values import (
    ABSENT,
    MAX_DEPTH,
    MAX_PARTS,
    at,
    canonical,
    canonical_bytes,
    copied,
    exceeds_bounds,
    has_long_text,
    identity,
    measure,
    order_key,
    path_text,
    shown,
    sized_canonical,
)

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES.filter(lambda value: value not in (float("inf"), -float("inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


@given(VALUES)
def test_the_canonical_form_is_the_value_and_has_the_canonical_bytes(value):
    try:
        form = canonical(value)
    except CanonicalError as error:
        assert "equal after NFC" in str(error)
        return
    assert equal(form, value)
    assert canonical_bytes(form) == encode(value, nfc=True)
    assert canonical_bytes(canonical(form)) == canonical_bytes(form)


@given(VALUES, VALUES)
def test_two_values_have_one_identity_exactly_if_they_are_one_value(left, right):
    try:
        forms = canonical(left), canonical(right)
    except CanonicalError:
        return
    assert (identity(forms[0]) == identity(forms[1])) == equal(left, right)


@given(VALUES)
def test_a_copy_is_equal_and_shares_no_container(value):
    def containers(part):
        if isinstance(part, dict | list):
            yield id(part)
            for inner in part.values() if isinstance(part, dict) else part:
                yield from containers(inner)

    copy = copied(value)
    assert encode(copy) == encode(value)
    assert not set(containers(copy)) & set(containers(value))


@pytest.mark.parametrize("value", [float("nan"), {1: 2}, object(), (b"",), {"a": {1}}])
def test_what_is_no_json_has_no_canonical_form(value):
    with pytest.raises(CanonicalError):
        canonical(value)


def test_a_number_that_json_cannot_read_back_has_no_canonical_form():
    with pytest.raises(CanonicalError, match="too many digits"):
        canonical([10**5000])


def test_a_value_in_itself_has_no_canonical_form():
    value: list[object] = []
    value.append(value)
    with pytest.raises(CanonicalError, match="nested too deep"):
        canonical(value)


def nested(levels):
    value = 0
    for _ in range(levels):
        value = {"a": value}
    return value


def test_bounds_are_kept_exactly():
    assert exceeds_bounds(nested(MAX_DEPTH - 1)) == ""
    assert "nests deeper" in exceeds_bounds(nested(MAX_DEPTH))
    assert exceeds_bounds([0] * MAX_PARTS) == ""
    assert "holds more" in exceeds_bounds([0] * (MAX_PARTS + 1))


def test_a_row_that_doubles_is_measured_without_walking_all_of_it():
    value: object = 0
    for _ in range(60):
        value = [value, value]
    assert "holds more" in exceeds_bounds(value)


def test_a_path_leads_through_objects_and_lists():
    value = {"a": [{"b": None}], "0": 1}
    assert at(value, ("a", 0, "b")) is None
    assert at(value, ()) is value


@pytest.mark.parametrize(
    "path", [("b",), ("a", 1), ("a", "0"), ("a", 0, "c"), ("a", 0, "b", "d"), (0,), ("t", 0)]
)
def test_a_path_that_leads_nowhere_is_absent(path):
    assert at({"a": [{"b": None}], "0": 1, "t": "text"}, path) is ABSENT


def test_values_of_all_types_have_one_order():
    scalars = [None, False, True, -1, 0, 0.5, 1, 10**400, "", "Z", "a"]
    lists, objects = [[], [2], [2, None], [10], ["2"]], [{}, {"a": 2}, {"a": 10}, {"b": 1}]
    ordered = [*scalars, *lists, *objects]
    for mixed in (ordered[::-1], ordered[7:] + ordered[:7]):
        assert list(map(repr, sorted(mixed, key=order_key))) == list(map(repr, ordered))


def test_the_order_is_total():
    values = [canonical(v) for v in ([1, 2], {"a": [1]}, "x", 3, True, None, [])]
    for left, right in itertools.combinations(values, 2):
        assert (order_key(left) < order_key(right)) != (order_key(right) < order_key(left))


def test_paths_read_as_people_write_them():
    assert path_text(("payments", 0, "amount")) == "payments[0].amount"


@given(VALUES)
def test_the_measure_counts_every_value(value):
    def count(part):
        inner = part.values() if isinstance(part, dict) else part
        return 1 + sum(map(count, inner)) if isinstance(part, dict | list) else 1

    assert measure(value, 10**6) == count(value)


def test_what_doubles_is_measured_no_further_than_asked():
    value: object = 0
    for _ in range(60):
        value = [value, value]
    assert 1000 < measure(value, 1000) < 3000


@pytest.mark.parametrize(
    ("value", "long"),
    [
        ("abcd", True),
        ("abc", False),
        ([1, ["abcd"]], True),
        ({"a": {"b": "abcd"}}, True),
        ({"abcd": 1}, True),
        ({"abc": ["abc", None, 12345]}, False),
    ],
)
def test_a_long_text_is_found_wherever_it_is(value, long):
    assert has_long_text(value, 3) == long


def test_the_length_of_the_canonical_form_is_known():
    assert sized_canonical({"b": 1.0, "a": "\u00e9"}) == ({"a": "\u00e9", "b": 1}, 20)


@pytest.mark.parametrize(
    ("value", "text"),
    [("a" * 200, repr("a" * 80)), ([0] * 9, "a list"), ({}, "an object"), (None, "None"), (5, "5")],
)
def test_a_value_is_shown_in_a_few_words(value, text):
    assert shown(value) == text
