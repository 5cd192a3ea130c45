"""Tests of the values that an instruction names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.agents.solver.policies.mentions import Mention, mention_at, mentions_of
from envwright.agents.solver.policies.vocabulary import stem


def values(text: str) -> list[object]:
    return [mention.value for mention in mentions_of(text)]


def named(text: str, value: object) -> Mention:
    return next(mention for mention in mentions_of(text) if mention.value == value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('status "in transit" now', "in transit"),
        ("the ticket “does not pair” is mine", "does not pair"),
        ("write to ada.low@example.com.", "ada.low@example.com"),
        ("order #W123, please", "#W123"),
        ("on 2024-05-20 at", "2024-05-20"),
        ("call +1-555-1234.", "+1-555-1234"),
        ("pay $12.50 now", "$12.50"),
        ("in San Francisco today", "San Francisco"),
        ("at 123 Main St, please", "123 Main St"),
        ('items ["1", "2"] of it', ["1", "2"]),
    ],
)
def test_values_of_all_kinds_are_found(text, value):
    assert value in values(text)


def test_an_apostrophe_is_no_quote():
    assert values("my dog's toy isn't here") == []


def test_the_first_word_of_a_sentence_is_a_name_only_with_another():
    assert values("Ada Low wants it") == ["Ada Low", "Ada", "Low", "Low"]
    assert values("Please do it. Then stop") == []


def test_a_verb_at_the_start_is_no_part_of_a_name():
    mentions = mentions_of("Cancel Desk Lamp", frozenset([stem("cancel")]))
    assert mentions[0].value == "Desk Lamp"


def test_the_words_before_and_after_a_value_label_it():
    mention = named("my zip code is 19031 today", "19031")
    assert {"zip", stem("code")} <= mention.before
    assert stem("baggage") in named("with 3 baggages", "3").after


def test_the_values_of_a_series_share_the_label_of_the_first():
    assert stem("item") in named("take items 111, 222 and 333", "333").before


def test_a_number_before_a_quote_belongs_to_the_label():
    mention = named('use address 2 "Suite 5"', "Suite 5")
    assert {stem("address"), "2"} <= mention.before
    assert values('use address 2 "Suite 5"') == ["Suite 5"]


def test_a_full_name_is_also_its_parts():
    assert stem("first") in named("I am Ada Low", "Ada").before
    assert stem("last") in named("I am Ada Low", "Low").before
    assert values('the item "Desk Lamp"') == ["Desk Lamp"]


@pytest.mark.parametrize(
    "text",
    [
        'the order whose city is "Lyon"',
        'the order with the item "Lyon"',
        'the order with "Lyon" among its cities',
        "the city called “Lyon”",
    ],
)
def test_a_value_that_tells_things_apart_is_no_new_value(text):
    assert named(text, "Lyon").describes
    assert not named('The city should be "Lyon".', "Lyon").describes


@pytest.mark.parametrize(
    "text",
    [
        'Cancel my other pending order with the city "Lyon" in its address.',
        'Cancel my order with the item "Lyon".',
        'Cancel the order created at "Lyon".',
    ],
)
def test_what_tells_one_thing_of_mine_from_another_describes(text):
    assert named(text, "Lyon").describes


def test_words_at_a_place_can_be_taken_as_a_mention():
    text = "give it high priority, please"
    mention = mention_at(text, 8, 12)
    assert mention.value == "high" and mention.after == {stem("priority")}


@given(st.text(max_size=200))
def test_every_mention_stands_in_the_text_in_order(text):
    mentions = mentions_of(text)
    assert all(0 <= mention.start <= mention.end <= len(text) for mention in mentions)
