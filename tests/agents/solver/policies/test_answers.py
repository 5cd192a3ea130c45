"""Tests of how questions are answered from what was learned."""

import pytest

from envwright.agents.solver.policies.answers import Answerer
from support.searching import RESULTS, Search


def answer(told: str, results: tuple[object, ...] = RESULTS) -> str:
    search = Search(told, results=results)
    return Answerer(search.instruction, search.knowledge).answer()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ('Could you please tell me the price of the item "Desk Lamp"?', "20.5"),
        ('I would like to know the status of the order with the item "Tea Pot".', "delivered"),
        ("What is the last name of my customer record?", "Low"),
        ("Tell me the email of the customer.", "ada.low@example.com"),
        ("What is the price of the Door Bell?", "9"),
    ],
)
def test_the_value_asked_for_is_the_answer(question, expected):
    assert answer(question) == expected


def test_two_questions_have_two_answers():
    told = "What is the price of the Tea Pot? What is the price of the Door Bell?"
    assert answer(told) == "12.25; 9"


def test_what_is_given_is_not_what_is_asked_for():
    told = "My order id is #W1. Could you tell me the id of the item?"
    assert answer(told, RESULTS[1:2]) == "101"


def test_of_equal_findings_the_latest_holds():
    changed = [{"item_id": "1", "price": price} for price in (5, 6)]
    results = tuple(("get_item", {"item_id": "1"}, row) for row in changed)
    assert answer("What is the price?", results) == "6"


def test_lists_and_truth_values_are_answers_too():
    results = (("get_it", {}, {"tags": ["a", 2.0], "open": True}),)
    assert answer("What are the tags? Is it open, tell me the open?", results) == "a, 2; yes"


@pytest.mark.parametrize("told", ["Cancel order #W1.", "What is the meaning of life?"])
def test_no_question_or_no_finding_gives_no_answer(told):
    assert answer(told) == ""


def test_my_other_order_is_not_the_one_that_i_introduced():
    told = 'My order is #W1. What is the price of the item named "Wall Clock" in my other order?'
    assert answer(told) == "30"
