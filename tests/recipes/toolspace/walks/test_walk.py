"""The walk: it goes on over links in a live world, and goes back exactly."""

from random import Random

import pytest

from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk
from support.clinic import clinic

FIND = Entry(tool="clinic.find_patient", table="patients", kind="find")
LOOK = Entry(tool="clinic.get_visit", table="visits", kind="lookup")


def anything(key, row):
    return True


@pytest.fixture
def walk():
    world = clinic().open()
    world.reset(0)
    yield Walk(clinic(), world, Random(3))
    world.close()


def test_a_finder_leads_in_with_what_the_row_says(walk):
    walk.enter(FIND)
    (place,) = walk.places
    assert walk.given == {"email": clinic().row("patients", place.key)["email"]}
    assert [made.call.name for made in walk.made] == ["find_patient"]


def test_a_key_that_the_user_knows_needs_no_call(walk):
    walk.enter(LOOK)
    assert walk.given == {"visit_id": int(walk.places[0].key)}
    assert walk.made == []


def test_it_reaches_another_table_by_reading_on_the_way(walk):
    walk.enter(FIND)
    number = walk.reach("doctors", anything)
    assert [place.table for place in walk.places] == ["patients", "visits", "doctors"]
    names = [made.call.name for made in walk.made]
    assert names == ["find_patient", "get_patient", "get_visit"]
    assert walk.places[number].parent == 1


def test_what_is_told_of_a_row_is_true_of_no_sibling(walk):
    walk.enter(FIND)
    number = walk.reach("visits", anything)
    place = walk.places[number]
    assert not place.only
    siblings = clinic().row("patients", walk.places[0].key)["visits"]

    def fits(key):
        row = clinic().row("visits", str(key))
        return all(
            row.get(trait.path[0]) == trait.value for trait in place.traits if len(trait.path) == 1
        )

    if all(len(trait.path) == 1 for trait in place.traits):
        assert [str(key) for key in siblings if fits(key)] == [place.key]


def test_a_row_that_has_been_come_by_serves_again_unless_a_fresh_one_is_wanted(walk):
    walk.enter(FIND)
    first = walk.reach("visits", anything)
    assert walk.reach("visits", anything) == first
    assert walk.reach("visits", anything, fresh=True) != first


def test_where_no_row_will_do_it_is_a_dead_end_without_a_trace(walk):
    walk.enter(FIND)
    before = (list(walk.places), list(walk.made))
    with pytest.raises(DeadEndError):
        walk.reach("visits", lambda key, row: False)
    assert (walk.places, walk.made) == before


def test_going_back_restores_the_world_exactly(walk):
    walk.enter(LOOK)
    before = walk.mark()
    row = walk.row(0)
    walk.write("clinic.add_note", {**walk.given, "author": "a", "text": "b"})
    assert walk.row(0) != row
    walk.return_to(before)
    assert walk.row(0) == row
    assert walk.mark() == before


def test_a_write_that_changes_nothing_is_a_dead_end(walk):
    walk.enter(FIND)
    patient = walk.read(0)
    with pytest.raises(DeadEndError, match="changed nothing"):
        walk.write(
            "clinic.change_city", {"patient_id": patient["patient_id"], "city": patient["city"]}
        )


def test_a_refused_call_is_a_dead_end(walk):
    walk.enter(LOOK)
    with pytest.raises(DeadEndError, match="visit not found"):
        walk.call("clinic.get_visit", {"visit_id": 1})
    assert walk.made == []


def test_a_walk_has_an_end():
    world = clinic().open()
    walk = Walk(clinic(), world, Random(3), most=2)
    walk.enter(LOOK)
    walk.call("clinic.get_visit", walk.given)
    walk.call("clinic.get_doctor", {"doctor_id": "doc-1"})
    with pytest.raises(DeadEndError, match="too long"):
        walk.call("clinic.get_doctor", {"doctor_id": "doc-2"})


def test_no_call_is_made_twice(walk):
    walk.enter(LOOK)
    walk.call("clinic.get_visit", walk.given)
    with pytest.raises(DeadEndError, match="circles"):
        walk.call("clinic.get_visit", walk.given)
