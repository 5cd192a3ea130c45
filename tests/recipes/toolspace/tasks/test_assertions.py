"""Assertions: what changed must be so, and nothing else may have changed."""

import pytest

from envwright.recipes.toolspace.tasks.assertions import assert_changes
from envwright.recipes.toolspace.walks.necessary import answer_text
from envwright.recipes.toolspace.walks.story import Question
from envwright.sandbox.verifiers import Verifier, verify

START = {
    "tables": {
        "orders": {"o1": {"status": "open", "log": ["a"]}, "o2": {"status": "open", "log": []}},
        "users": {"u1": {"name": "Ada"}},
    },
    "clock": "2024-01-01T00:00:00Z",
}


def state(**orders):
    return {
        **START,
        "tables": {**START["tables"], "orders": {**START["tables"]["orders"], **orders}},
    }


CLOSED = state(o1={"status": "closed", "log": ["a", {"by": "me"}], "why": "done"})


def passes(final, reference=CLOSED, answer="", questions=()):
    return verify(assert_changes(START, reference, questions), START, final, answer).passed


def test_the_reference_passes_and_the_start_fails():
    assert passes(CLOSED)
    assert not passes(START)


@pytest.mark.parametrize(
    "other",
    [
        {"status": "lost", "log": ["a", {"by": "me"}], "why": "done"},
        {"status": "closed", "log": ["a"], "why": "done"},
        {"status": "closed", "log": ["a", {"by": "you"}], "why": "done"},
        {"status": "closed", "log": ["a", {"by": "me"}, {"by": "me"}], "why": "done"},
        {"status": "closed", "log": ["b", {"by": "me"}], "why": "done"},
        {"status": "closed", "log": ["a", {"by": "me"}]},
        {"status": "closed", "log": ["a", {"by": "me"}], "why": "done", "more": 1},
    ],
)
def test_any_other_outcome_of_the_row_fails(other):
    assert not passes(state(o1=other))


def test_a_change_elsewhere_fails():
    assert not passes(state(o1=CLOSED["tables"]["orders"]["o1"], o2={"status": "x", "log": []}))
    elsewhere = {**CLOSED, "tables": {**CLOSED["tables"], "users": {"u1": {"name": "Eve"}}}}
    assert not passes(elsewhere)


def test_a_new_row_must_be_there_as_it_is_and_no_other():
    row = {"status": "new", "log": []}
    reference = state(o3=row)
    assert passes(reference, reference)
    assert not passes(state(o3={**row, "status": "old"}), reference)
    assert not passes(state(o3=row, o4=row), reference)
    assert not passes(state(o4=row), reference)


def test_no_assertion_holds_at_the_start():
    found = assert_changes(START, CLOSED, ())
    assert Verifier(found, START).vacuous() == ()
    assert len({item.id for item in found.state}) == len(found.state)


def test_a_question_is_pinned_by_its_answer_and_by_nothing_having_changed():
    question = Question(place=0, path=("name",), value="Ada")
    assert passes(START, START, "It is Ada.", (question,))
    assert not passes(START, START, "It is Eve.", (question,))
    assert not passes(START, START, "", (question,))
    assert not passes(CLOSED, START, "It is Ada.", (question,))


def test_several_questions_must_all_be_answered():
    questions = tuple(Question(place=0, path=("n",), value=value) for value in ("Ada", 12.5))
    assert passes(START, START, "Ada, and 12.5", questions)
    assert not passes(START, START, "Ada", questions)


def test_a_number_is_answered_as_it_is_written():
    assert answer_text(Question(place=0, path=("n",), value=12.5)) == "12.5"
