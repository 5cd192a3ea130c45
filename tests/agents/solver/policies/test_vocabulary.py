"""Tests of words, stems and their weights."""

import pytest

from envwright.agents.solver.policies.vocabulary import Weights, raw_words, stem, stems, synonyms


@pytest.mark.parametrize(
    "forms",
    [
        "cancel cancels cancelled cancelling cancellation",
        "modify modifies modified modifying modification",
        "return returned returning returns",
        "book booking booked",
        "reserve reserved reservation",
        "address addresses",
        "status statuses",
        "id ids",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms):
    assert len({stem(word) for word in forms.split()}) == 1


@pytest.mark.parametrize("name", ["order_id", "orderId", "order-id", "Order ID", "orderIDs"])
def test_names_of_any_style_split_into_words(name):
    assert stems(name) == ("ord", "id")


def test_numbers_in_names_are_words_of_their_own():
    assert raw_words("address2") == ("address", "2")


def test_words_that_name_nothing_are_left_out():
    assert stems("What is the status of my order?") == ("status", "ord")


def test_people_say_other_verbs_for_the_same_action():
    assert stem("change") in synonyms(stem("update"))
    assert synonyms(stem("escalate")) == {stem("escalate")}


def test_a_word_that_few_documents_hold_weighs_more():
    weights = Weights([["order", "cancel"], ["order", "return"], ["order"]])
    assert weights.of("cancel") > weights.of("order")
    assert weights.sum(["cancel", "order"]) == weights.of("cancel") + weights.of("order")
