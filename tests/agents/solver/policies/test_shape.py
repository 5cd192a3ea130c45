"""Tests of the outward shape of values."""

import pytest

from envwright.agents.solver.policies.shape import (
    as_type,
    like_id,
    likeness,
    shape,
    telling,
    text_of,
    value_key,
)


def test_a_shape_keeps_separators_and_forgets_the_letters():
    assert shape("#W12") == shape("#Q7")
    assert shape("card_11") != shape("#W12")


def test_likeness_falls_from_equal_shapes_to_foreign_ones():
    ladder = [likeness(text, "#W0000000") for text in ("#W1234567", "#W12", "card_11", "a b-c@d.e")]
    assert ladder == sorted(ladder, reverse=True)
    assert ladder[0] == 1.0 and ladder[-1] == -1.0


def test_codes_with_digits_in_other_places_look_alike():
    assert likeness("ZFA04Y", "8JX2WO") == 1.0


def test_only_examples_with_marks_or_digits_tell_something():
    assert telling("#W0") and telling("12345") and not telling("San Francisco")


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("$1,200.50", "number", 1200.5),
        ("3", "integer", 3),
        ("3.5", "integer", None),
        (True, "integer", None),
        ("yes", "number", None),
        ("x", "string", "x"),
        (7, "string", None),
        ([1], "array", [1]),
        ("x", "any", "x"),
    ],
)
def test_values_become_the_types_that_they_can_be(value, kind, expected):
    assert as_type(value, kind) == expected


@pytest.mark.parametrize("text", ["#W1", "ada_low_1", "GXWCPN", "17"])
def test_codes_look_like_ids(text):
    assert like_id(text)


@pytest.mark.parametrize("text", ["Desk Lamp", "pending", "I", ""])
def test_words_and_phrases_do_not_look_like_ids(text):
    assert not like_id(text)


def test_equal_values_have_one_key_and_a_text_is_no_number():
    assert value_key(25.0) == value_key(25)
    assert value_key("25") != value_key(25)
    assert (text_of(25.0), text_of(2.5), text_of("x")) == ("25", "2.5", "x")
