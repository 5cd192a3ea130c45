"""The story: asks in their order, of two kinds."""

from envwright.recipes.toolspace.walks.drawing import Plan, stories
from envwright.recipes.toolspace.walks.story import Request, Story
from support.clinic import clinic


def test_requests_and_questions_are_the_asks_in_their_order():
    story = next(stories(clinic(), Plan(tool="clinic.move_visit"), "seed"))
    assert sorted([*story.requests, *story.questions], key=repr) == sorted(story.asks, key=repr)
    assert all(isinstance(ask, Request) for ask in story.requests)


def test_a_story_survives_its_json():
    story = next(stories(clinic(), Plan(tool="clinic.get_doctor"), "seed"))
    assert Story.model_validate_json(story.model_dump_json()) == story
