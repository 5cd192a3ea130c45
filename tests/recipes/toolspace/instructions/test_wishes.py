"""Wishes: what a tool does, with the user's own things in it."""

import pytest

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.instructions.wishes import Opening, wish


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


@pytest.mark.parametrize(
    ("text", "noun", "filled"),
    [
        ("cancel a pending order", "order", "cancel X"),
        ("modify the address of a pending order", "order", "modify the address of X"),
        ("assign a ticket to a support agent", "ticket", "assign X to a support agent"),
        ("cancel the whole reservation", "reservation", "cancel X"),
        ("add a comment to a ticket", "ticket", "add a comment to X"),
        ("change a customer's phone number", "customer", "change X's phone number"),
        ("close a ticket and note how", "ticket", "close X and note how"),
    ],
)
def test_a_certain_thing_takes_the_place_of_any(text, noun, filled):
    assert Opening(text, noun).filled("X") == filled


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("set the status of a ticket that is open", "ticket"),
        ("take a borrowed book back", "loan"),
        ("reorder a product", "order"),
        ("list a ticket-holder", "ticket"),
    ],
)
def test_where_it_would_read_badly_there_is_no_place(text, noun):
    assert Opening(text, noun).filled("X") is None
    assert not Opening(text, noun).found


def test_what_has_a_long_name_or_owns_by_another_is_told_in_a_sentence_of_its_own():
    assert Opening("cancel an order", "order").filled("x" * 200) is None
    assert Opening("suspend a member's card", "member").filled("the member of my hold") is None


def test_a_verb_does_not_come_after_a_long_description():
    opening = Opening("change how urgent a ticket is", "ticket")
    assert opening.filled("my ticket") == "change how urgent my ticket is"
    assert opening.filled('the ticket titled "x"') is None


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("change a customer's phone number", "change my phone number"),
        ("modify the default address of a customer", "modify my default address"),
        ("move a customer to another plan", "move me to another plan"),
        ("close an account", None),
    ],
)
def test_who_writes_says_me_and_my(text, filled):
    assert Opening(text, "customer").mine() == filled


def test_the_adjectives_of_any_thing_are_those_of_the_certain_one():
    assert Opening("cancel a pending order", "order").adjectives == "pending "
    assert Opening("cancel an order", "order").adjectives == ""
