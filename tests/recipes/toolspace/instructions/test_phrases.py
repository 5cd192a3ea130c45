"""Phrases: values, fields, traits and wishes as people say them."""

import pytest

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.instructions.phrases import (
    argument_noun,
    argument_order,
    argument_phrase,
    entry_noun,
    field_phrase,
    joined,
    noun_of,
    said,
    trait_phrase,
)
from envwright.recipes.toolspace.walks.traits import Trait
from support.clinic import clinic


def trait(*pattern, value="x"):
    return Trait(pattern=pattern, path=pattern, value=value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('a "b"', '“a "b"”'),
        ({"kind": "x", "no": 1}, 'kind "x" and no 1'),
        ("a", '"a"'),
        (195.5, "195.5"),
        (True, "true"),
        (["a", "b", "c"], '"a", "b" and "c"'),
    ],
)
def test_values_are_said(value, text):
    assert said(value) == text


def test_parts_are_joined():
    assert [joined(["a"][:n] + ["b"] * (n - 1)) for n in range(4)] == [
        "",
        "a",
        "a and b",
        "a, b and b",
    ]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (("status",), "status"),
        (("address", "city"), "city in the address"),
        (("created_at",), "created-at time"),
        (("name", "last_name"), "last name"),
        (("options", "color"), "color"),
        (("items", "*", "name"), "name"),
    ],
)
def test_fields_are_said_without_what_says_nothing(pattern, text):
    assert field_phrase(pattern) == text


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (("status",), 'whose status is "x"'),
        (("name",), 'named "x"'),
        (("title",), 'titled "x"'),
        (("address", "city"), 'with the city "x" in its address'),
        (("created_at",), 'created at "x"'),
        (("features",), 'whose features are "x"'),
        (("items", "*", "name"), 'with the item "x"'),
        (("items", "*", "options", "color"), 'with an item whose color is "x"'),
        (("cards", "*", "owner", "city"), 'with a card with the city "x" in its owner'),
        (("tags", "*"), 'with "x" among its tags'),
    ],
)
def test_traits_are_clauses(pattern, text):
    assert trait_phrase(trait(*pattern)) == text


def test_a_number_in_a_group_is_told_with_its_group():
    """ "Whose economy is 12" could be of the prices or of the seats."""
    found = trait_phrase(trait("*", "prices", "economy", value=12), inside=1)
    assert found == "with the economy 12 in its prices"


def test_one_thing_of_a_list_has_a_noun():
    assert [entry_noun(name) for name in ("items", "payment_history")] == [
        "item",
        "payment history entry",
    ]


def test_what_is_understood_is_left_out_of_a_trait():
    assert trait_phrase(trait("cards", "*", "kind"), inside=2) == 'whose kind is "x"'


@pytest.mark.parametrize(
    ("argument", "description", "text"),
    [
        (
            "address1",
            "The first line of the address, such as '1 Elm St'.",
            "first line of the address",
        ),
        ("zip", "The zip code of the customer, such as '12345'.", "zip code"),
        ("plan", "the new support plan", "new support plan"),
        ("status", "the new status of the ticket", "new status"),
        ("priority", "how urgent the ticket is", "priority"),
        ("subject", "what the ticket is about, in a few words", "subject"),
        ("flightType", "", "flight type"),
        ("address2", "", "address 2"),
        ("user_id", "The user id, such as 'sara_doe_496'.", "user id"),
    ],
)
def test_arguments_are_said_in_the_words_of_their_description(argument, description, text):
    schema = {"type": "object", "properties": {argument: {"description": description}}}
    tool = ToolSchema(name="t", description="", parameters=schema)
    assert argument_phrase(tool, argument) == text


def test_arguments_come_in_the_order_in_which_the_tool_asks_for_them():
    tool = ToolSchema(name="t", description="", parameters={"required": ["street", "city"]})
    names = sorted(["city", "apartment", "street"], key=lambda name: argument_order(tool, name))
    assert names == ["street", "city", "apartment"]


def test_nouns():
    assert argument_noun("payment_method_ids") == "payment method"
    assert argument_noun("title") == "title"
    assert noun_of(clinic(), "visits") == "visit"
