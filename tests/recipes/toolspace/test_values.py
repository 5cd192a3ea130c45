"""Values: identity by value, leaves with their places, and names."""

import pytest

from envwright.recipes.toolspace.values import (
    ABSENT,
    alike,
    at,
    entity_noun,
    identity,
    is_key_value,
    key_text,
    leaves,
    phrase,
    plural,
    same,
    singular,
    words,
)


def test_true_is_not_one():
    assert not same(True, 1)
    assert not same([1], [True])
    assert identity(True) != identity(1)
    assert same({"a": [1]}, {"a": [1]})


def test_leaves_have_patterns_and_paths():
    row = {"b": [{"c": 1}], "a": "x"}
    assert [tuple(leaf) for leaf in leaves(row)] == [
        (("a",), ("a",), "x"),
        (("b", "*", "c"), ("b", 0, "c"), 1),
    ]


def test_keys_of_a_mapping_by_id_are_open_in_patterns():
    row = {"cards": {"c1": {"kind": "visa"}}}
    (leaf,) = leaves(row, frozenset({("cards",)}))
    assert leaf.pattern == ("cards", "*", "kind")
    assert leaf.path == ("cards", "c1", "kind")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("a", 1), "y"),
        (("a", 2), ABSENT),
        (("a", "b"), ABSENT),
        (("z",), ABSENT),
        ((), {"a": ["x", "y"]}),
    ],
)
def test_a_path_leads_to_a_value_or_nowhere(path, value):
    assert at({"a": ["x", "y"]}, path) == value


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("newItemIds", ["new", "item", "ids"]),
        ("order_id", ["order", "id"]),
        ("HTTPCode", ["http", "code"]),
    ],
)
def test_names_have_words(name, parts):
    assert words(name) == parts
    assert phrase(name) == " ".join(parts)


@pytest.mark.parametrize(
    ("name", "noun"),
    [("order_id", "order"), ("paymentMethodId", "payment_method"), ("email", ""), ("id", "")],
)
def test_the_name_of_a_key_speaks_of_a_thing(name, noun):
    assert entity_noun(name) == noun


@pytest.mark.parametrize(
    ("one", "many"), [("order", "orders"), ("city", "cities"), ("box", "boxes")]
)
def test_nouns_have_numbers(one, many):
    assert plural(one) == many
    assert singular(many) == one


@pytest.mark.parametrize(
    ("left", "right", "yes"),
    [
        ("cancel_reason", "reason", True),
        ("item_ids", "items", True),
        ("status", "state", False),
        ("id", "order_id", False),
    ],
)
def test_names_that_speak_of_one_thing_are_alike(left, right, yes):
    assert alike(left, right) is yes


def test_keys_are_texts_and_whole_numbers():
    assert [is_key_value(v) for v in ("a", 5, "", True, 1.5, None)] == [True, True, *[False] * 4]
    assert key_text(5) == "5"
