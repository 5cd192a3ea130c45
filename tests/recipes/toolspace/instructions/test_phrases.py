"""Phrases: values, fields, traits and wishes as people say them."""

import pytest

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.instructions.phrases import (
    argument_noun,
    field_phrase,
    joined,
    noun_of,
    said,
    trait_phrase,
    wish,
)
from envwright.recipes.toolspace.walks.traits import Trait
from support.clinic import clinic


def trait(*pattern, value="x"):
    return Trait(pattern=pattern, path=pattern, value=value)


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", '"a"'), (195.5, "195.5"), (True, "true"), (["a", "b", "c"], '"a", "b" and "c"')],
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
        (("address", "city"), "address city"),
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
        (("items", "*", "name"), 'with the item "x"'),
        (("items", "*", "options", "color"), 'with "x" as the color of one of its items'),
        (("tags", "*"), 'with "x" among its tags'),
    ],
)
def test_traits_are_clauses(pattern, text):
    assert trait_phrase(trait(*pattern)) == text


def test_what_is_understood_is_left_out_of_a_trait():
    assert trait_phrase(trait("cards", "*", "kind"), inside=2) == 'whose kind is "x"'


@pytest.mark.parametrize(
    ("name", "description", "text"),
    [
        ("cancel_order", "Cancel a pending order. Ask first.", "cancel a pending order"),
        ("cancel_order", "Cancels a pending order.", "cancel a pending order"),
        ("cancel_order", "Use this tool to cancel an order.", "cancel an order"),
        ("cancel_order", "This tool is used to cancel an order", "cancel an order"),
        ("cancel_order", "Cancel order.", "cancel the order"),
        ("cancel_order", "", "cancel the order"),
        ("cancel_order", "Calls cancel_order on the server.", "cancel the order"),
        ("ping", "Ping.", "ping"),
        ("fetch", "SMS a code to the user.", "SMS a code to the user"),
    ],
)
def test_a_wish_is_what_the_tool_does_in_the_words_of_its_description(name, description, text):
    assert wish(ToolSchema(name=name, description=description)) == text


def test_nouns():
    assert argument_noun("payment_method_ids") == "payment method"
    assert argument_noun("title") == "title"
    assert noun_of(clinic(), "visits") == "visit"
