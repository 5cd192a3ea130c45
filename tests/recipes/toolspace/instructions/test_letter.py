"""The letter: a text that a person could have written, with nothing in it that must be found."""

from itertools import islice

import pytest

from envwright.recipes.toolspace.instructions.letter import write_letter
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from support.clinic import clinic

WRITES = [Plan(tool=tool) for tool in ("clinic.move_visit", "clinic.book_visit")]
QUESTIONS = [Plan(tool=tool) for tool in sorted({*clinic().goals} - {*clinic().writes})[:1]]
PLANS = WRITES + QUESTIONS


def letters(plan, count=6):
    for number in range(count):
        for story in islice(stories(clinic(), plan, f"s{number}"), 1):
            yield story, write_letter(clinic(), story, f"w{number}")


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.tool)
def test_it_says_who_asks_and_has_a_paragraph_for_each_request(plan):
    for story, letter in letters(plan):
        for value in story.given.values():
            assert str(value) in letter.text
        assert len(letter.paragraphs) == len(story.asks)
        for paragraph in letter.paragraphs:
            assert paragraph in letter.text


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.tool)
def test_it_names_no_tool_and_no_id_that_must_be_found(plan):
    for story, letter in letters(plan):
        assert not [name for name in clinic().names.values() if name in letter.text]
        given = {str(value) for value in story.given.values()}
        hidden = {place.key for place in story.places} - given
        assert not [key for key in hidden if key in letter.text]


def test_it_says_every_value_that_the_user_decides():
    for story, letter in letters(PLANS[0]):
        for ask, paragraph in zip(story.asks, letter.paragraphs, strict=True):
            for one in getattr(ask, "bound", ()):
                if one.kind in ("free", "choice", "fresh"):
                    assert str(one.value) in paragraph


def test_it_tells_rows_by_their_traits():
    told = [
        (trait, letter)
        for story, letter in letters(PLANS[0])
        for place in story.places
        for trait in place.traits
    ]
    assert told
    assert all(str(trait.value) in letter.text for trait, letter in told)


def test_other_words_say_the_same():
    story = next(stories(clinic(), PLANS[0], "s"))
    texts = {write_letter(clinic(), story, f"w{n}").text for n in range(12)}
    assert len(texts) > 3
    assert write_letter(clinic(), story, "w").text == write_letter(clinic(), story, "w").text


def test_a_question_does_not_tell_its_answer():
    for story, letter in letters(QUESTIONS[0], 10):
        assert story.questions
        for question in story.questions:
            assert f'"{question.value}"' not in letter.text
