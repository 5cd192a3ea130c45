"""Tests of how an instruction is split into clauses."""

import pytest

from envwright.agents.solver.policies.instruction import read, says
from envwright.agents.solver.policies.vocabulary import stem

VERBS = frozenset(stem(word) for word in ("cancel", "change", "return"))


def clauses(text: str) -> list[str]:
    return [clause.text for clause in read(text, VERBS).clauses]


def test_a_new_verb_begins_a_new_clause():
    assert clauses("Cancel order #W1, then change the city and return the lamp.") == [
        "Cancel order #W1",
        "change the city",
        "return the lamp.",
    ]


def test_what_precedes_the_first_verb_of_a_sentence_belongs_to_it():
    assert clauses("For #W1, change the city. Thanks!") == ["For #W1, change the city.", "Thanks!"]


def test_a_value_is_never_split():
    assert len(clauses('Change it to "Stop. Cancel it", please')) == 1


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Could you please tell me the price of it?", True),
        ("What is the price?", True),
        ("I would like to know the price.", True),
        ("Could you please cancel the order?", False),
        ("The price should be 5.", False),
    ],
)
def test_a_question_is_known_by_what_it_wants_told(text, asks):
    assert read(text, VERBS).clauses[-1].asks is asks


def test_a_verb_counts_only_where_a_request_has_its_verb():
    assert stem("cancel") in read("I need you to cancel it", VERBS).clauses[0].verbs
    assert stem("cancel") in read("I want it cancelled", VERBS).clauses[0].verbs
    assert stem("return") not in read("It is about my return", VERBS).clauses[0].verbs


@pytest.mark.parametrize(
    ("text", "phrase", "said"),
    [
        ("a one way ticket", "one_way", True),
        ("in gift card", "gift_card", True),
        ("worn down", "own", False),
        ("It is $10.50.", "10.50", True),
        ("anything", " ", False),
    ],
)
def test_a_phrase_is_said_word_for_word(text, phrase, said):
    assert (says(text, phrase) >= 0) is said


def test_mentions_are_found_by_value_and_by_clause():
    instruction = read("Cancel order #W1. Change #W2.", VERBS)
    assert [mention.value for mention in instruction.within(instruction.clauses[1:])] == ["#W2"]
    assert [len(found) for found in instruction.by_value.values()] == [1, 1]
    assert instruction.clause_at(0) != instruction.clause_at(20)


def test_values_listed_one_after_the_other_are_a_series():
    listed, apart = read("Cancel #W1, #W2 and #W3.", VERBS), read("Cancel #W1 with #W2.", VERBS)
    assert listed.is_series(listed.mentions)
    assert not apart.is_series(apart.mentions)
