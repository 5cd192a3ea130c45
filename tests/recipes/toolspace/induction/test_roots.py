"""Roots: columns of values, and what is unknown inside them."""

from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.roots import UNKNOWN, Root, taken
from envwright.recipes.toolspace.values import ABSENT


def root(*values):
    return Root(drafts.argument, values, 0, "arguments")


def test_inside_what_is_unknown_everything_is_unknown_and_not_absent():
    assert taken(UNKNOWN, ("a", 0)) is UNKNOWN
    assert taken({"a": []}, ("a", 0)) is ABSENT


def test_a_column_has_a_value_for_every_frame():
    assert root({"a": 1}, {}, UNKNOWN).column(("a",)).values == (1, ABSENT, UNKNOWN)


def test_a_place_that_few_frames_have_is_not_looked_at():
    rare = [{"a": 1}] * 9 + [{"a": 1, "b": 2}]
    assert set(root(*rare).places) == {(), ("a",)}


def test_only_texts_and_whole_numbers_are_keys():
    assert root({"a": True}, {"a": "k"}, {"a": 2}, {"a": None}).key(("a",)).distinct == {"k", 2}


def test_a_field_that_may_be_null_is_of_the_type_that_it_has_elsewhere():
    assert root({"a": None}, {"a": "x"}, {"a": None}).places[("a",)] is str
    assert root({"a": None}).places[("a",)] is type(None)
