"""Naming: every row is called so that it can be found, and not twice in the same long words."""

from itertools import islice

from envwright.recipes.toolspace.instructions.naming import Naming
from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from envwright.recipes.toolspace.walks.story import Place, Story
from envwright.recipes.toolspace.walks.traits import Trait
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
    found = 0
    for naming, story, place in places():
        parent = story.places[place].parent
        if parent is not None and not naming.is_me(parent):
            found += 1
            naming.tell(place)
            assert naming.is_same(parent)
    assert found


def test_whose_a_thing_is_is_not_spoken_of_where_it_is_mine():
    found = 0
    for naming, story, place in places():
        parent = story.places[place].parent
        if parent is not None and naming.is_me(parent):
            found += 1
            assert naming.tell(place).startswith("my ")
            assert not naming.is_same(parent)
    assert found


def letter_of(*places, given=None, knowledge=None):
    """Return the naming of a story that comes by these places."""
    entry = Entry(tool="clinic.get_visit", table="visits", kind="lookup")
    story = Story(entry=entry, given=given or {}, places=places, calls=())
    return Naming(knowledge or clinic(), story)


VISIT = Place(table="visits", key="1000")
OWNER = Place(table="patients", key="pat-000", parent=0, path=("patient_id",))
DOCTOR = Place(table="doctors", key="doc-1", parent=0, path=("doctor_id",))


def sibling(**trait):
    ((name, value),) = trait.items()
    told = (Trait(pattern=(name,), path=(name,), value=value),)
    path = ("visits", 1)
    return Place(table="visits", key="1001", parent=1, path=path, only=False, traits=told)


def test_the_person_whose_record_names_what_i_introduced_is_me():
    naming = letter_of(VISIT, OWNER, given={"visit_id": 1000})
    assert naming.is_me(1) and not naming.is_me(0)
    assert naming.full(1) == "my patient record"


def test_a_person_that_my_thing_names_but_who_does_not_name_it_is_somebody_else():
    assert not letter_of(VISIT, DOCTOR).is_me(1)
    assert letter_of(VISIT, DOCTOR).full(1) == "the doctor of my visit"


def test_another_thing_of_mine_is_my_other_one_and_the_first_has_its_key():
    naming = letter_of(VISIT, OWNER, sibling(day="friday"), given={"visit_id": 1000})
    assert naming.full(2) == 'my other visit whose day is "friday"'
    assert naming.full(0) == "my visit 1000"


def test_a_condition_is_an_adjective():
    naming = letter_of(VISIT, OWNER, sibling(status="done"), given={"visit_id": 1000})
    assert naming.full(2) == "my other done visit"


def test_the_same_is_said_only_of_what_was_spoken_of():
    naming = letter_of(VISIT, OWNER, given={"visit_id": 1000})
    naming.tell(1)
    assert not naming.is_same(0)


def test_what_an_entry_of_a_list_leads_to_is_told_by_the_entry():
    told = (Trait(pattern=("notes", "*", "author"), path=("notes", 0, "author"), value="desk"),)
    place = DOCTOR.model_copy(
        update={"traits": told, "inside": ("notes", 0), "only": False, "path": ("notes", 0, "by")}
    )
    named = letter_of(VISIT, place).full(1)
    assert named == 'the doctor of the note whose author is "desk" in my visit'
