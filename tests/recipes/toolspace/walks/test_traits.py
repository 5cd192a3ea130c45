"""Traits: how a person tells a thing from others."""

from random import Random

import pytest

from envwright.recipes.toolspace.values import Leaf, leaves
from envwright.recipes.toolspace.walks.traits import last_name, tell_apart, tellable


def told(chosen, *others, hidden=()):
    found = tell_apart(
        list(leaves(chosen)), [list(leaves(other)) for other in others], hidden, Random(1)
    )
    return None if found is None else {trait.value for trait in found}


def test_one_value_that_no_other_has_is_enough():
    assert told({"name": "lamp", "kind": "desk"}, {"name": "sofa", "kind": "desk"}) == {"lamp"}


def test_two_values_together_may_tell_what_neither_tells_alone():
    others = [{"name": "lamp", "kind": "wall"}, {"name": "sofa", "kind": "desk"}]
    assert told({"name": "lamp", "kind": "desk"}, *others) == {"lamp", "desk"}


def test_what_nothing_tells_apart_has_no_traits():
    assert told({"name": "lamp"}, {"name": "lamp"}) is None


def test_ids_tell_nothing():
    assert told({"lamp_id": "lmp-123"}, {"lamp_id": "lmp-124"}) is None
    assert told({"ref": "lmp-123"}, {"ref": "lmp-124"}, hidden={"lmp-123", "lmp-124"}) is None


def test_without_others_one_trait_is_told():
    assert told({"name": "lamp", "kind": "desk"}) in ({"lamp"}, {"desk"})


def test_a_value_in_one_of_several_items_counts_if_no_other_has_it_anywhere():
    chosen = {"items": [{"name": "lamp"}, {"name": "sofa"}]}
    assert told(chosen, {"items": [{"name": "sofa"}]}) == {"lamp"}


@pytest.mark.parametrize(
    ("name", "value", "yes"),
    [
        ("name", "Wall Clock", True),
        ("price", 195.59, True),
        ("order_id", "#W1", False),
        ("zip_code", "19031", False),
        ("active", True, False),
        ("note", None, False),
        ("note", "x" * 80, False),
        ("note", "ab", False),
        ("note", 'he said "no"', False),
        ("note", "two\nlines", False),
        ("number_of_seats", "12345", False),
    ],
)
def test_what_a_person_could_name(name, value, yes):
    assert tellable(Leaf((name,), (name,), value), ()) is yes


def test_the_last_name_of_a_pattern_is_no_star():
    assert last_name(("items", "*", "name")) == "name"
    assert last_name(("tags", "*")) == "tags"
