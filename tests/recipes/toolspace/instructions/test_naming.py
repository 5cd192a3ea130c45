"""Naming: every row is called so that it can be found, and not twice in the same long words."""

from itertools import islice

from envwright.recipes.toolspace.instructions.naming import Naming
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from support.clinic import clinic


def places():
    """Yield the naming of some stories and a place of each."""
    for number in range(12):
        plan = Plan(tool="clinic.move_visit")
        for story in islice(stories(clinic(), plan, f"s{number}"), 1):
            for place in range(len(story.places)):
                yield Naming(clinic(), story), story, place


def test_what_the_user_introduced_is_mine():
    for naming, story, place in places():
        if story.places[place].parent is None:
            assert naming.full(place).startswith("my ")


def test_what_was_told_last_is_the_same():
    found = 0
    for naming, story, place in places():
        if not naming.full(place).startswith("my ") and story.places[place].parent is not None:
            found += 1
            assert naming.tell(place) == naming.full(place)
            assert naming.tell(place) == f"the same {naming.noun(place)}"
    assert found


def test_traits_that_tell_a_row_apart_are_said():
    told = 0
    for naming, story, place in places():
        for trait in story.places[place].traits:
            told += 1
            assert str(trait.value) in naming.full(place)
    assert told


def test_the_thing_behind_the_one_told_is_the_last_of_its_kind():
    for naming, story, place in places():
        parent = story.places[place].parent
        if parent is not None and naming.noun(parent) != naming.noun(place):
            naming.tell(place)
            assert naming.is_same(parent)
