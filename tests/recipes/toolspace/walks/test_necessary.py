"""Necessity in a walk: calls that nothing needs are left out, values from nowhere end it."""

from random import Random

import pytest

from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.walks.necessary import necessary_calls
from envwright.recipes.toolspace.walks.story import Bound, Question, Request
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk
from support.clinic import clinic

FIND = Entry(tool="clinic.find_patient", table="patients", kind="find")


@pytest.fixture
def walk():
    world = clinic().open()
    world.reset(0)
    walk = Walk(clinic(), world, Random(3))
    walk.enter(FIND)
    yield walk
    world.close()


def names(walk, *asks):
    return [made.call.name for made in necessary_calls(walk, asks)]


def test_without_an_ask_nothing_is_needed(walk):
    walk.read(0)
    assert names(walk) == []


def test_an_answer_needs_the_calls_that_lead_to_it(walk):
    number = walk.reach("visits", lambda _key, _row: True)
    row = walk.read(number)
    asked = Question(place=number, path=("doctor_id",), value=row["doctor_id"])
    assert names(walk, asked) == ["find_patient", "get_patient", "get_visit"]


def test_a_look_at_another_row_is_left_out(walk):
    number = walk.reach("visits", lambda _key, _row: True)
    other = walk.reach("visits", lambda _key, _row: True, fresh=True)
    walk.read(other)
    row = walk.read(number)
    asked = Question(place=number, path=("visit_id",), value=row["visit_id"])
    assert names(walk, asked) == ["find_patient", "get_patient"]


def test_a_value_that_nobody_gave_ends_the_walk(walk):
    walk.write("clinic.change_city", {"patient_id": walk.places[0].key, "city": "Nowhere"})
    untold = Request(tool="clinic.change_city", place=0, bound=())
    with pytest.raises(DeadEndError, match="nowhere"):
        necessary_calls(walk, [untold])
    told = Bound(argument="city", kind="free", value="Nowhere")
    assert names(walk, untold.model_copy(update={"bound": (told,)}))[-1] == "change_city"
