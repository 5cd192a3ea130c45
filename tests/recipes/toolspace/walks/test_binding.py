"""Binding: every argument comes from a row that was seen, or from what users make up."""

from random import Random

import pytest

from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.walks.binding import request
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk
from support.clinic import DAYS, clinic

FIND = Entry(tool="clinic.find_patient", table="patients", kind="find")


def bound(tool, seed=3):
    world = clinic().open()
    world.reset(0)
    walk = Walk(clinic(), world, Random(seed))
    walk.enter(FIND)
    asked = request(walk, f"clinic.{tool}")
    return walk, asked, {one.argument: one for one in asked.bound}


@pytest.mark.parametrize("tool", ["add_note", "cancel_visit", "change_city", "move_visit"])
def test_the_row_that_is_changed_is_where_the_walk_has_led(tool):
    walk, asked, arguments = bound(tool)
    key = "patient_id" if tool == "change_city" else "visit_id"
    assert arguments[key].kind == "target"
    assert str(arguments[key].value) == walk.places[asked.place].key
    assert walk.made[-1].call.name == tool
    assert walk.made[-1].call.arguments == {name: one.value for name, one in arguments.items()}


@pytest.mark.parametrize("seed", range(6))
def test_only_rows_on_which_the_tool_was_seen_to_work_are_written(seed):
    walk, asked, _ = bound("cancel_visit", seed)
    assert clinic().row("visits", walk.places[asked.place].key)["status"] == "booked"


@pytest.mark.parametrize("seed", range(4))
def test_a_new_key_looks_like_the_others_and_is_new(seed):
    _, asked, arguments = bound("book_visit", seed)
    key = arguments["visit_id"].value
    assert arguments["visit_id"].kind == "fresh"
    assert str(key) not in clinic().table("visits").rows
    assert len(str(key)) == 4
    assert isinstance(key, int)
    assert asked.place is None


def test_keys_of_other_rows_are_of_rows_that_the_walk_has_come_by():
    walk, _, arguments = bound("book_visit")
    for name in ("patient_id", "doctor_id"):
        place = walk.places[arguments[name].place]
        assert arguments[name].value == place.key


def test_what_users_make_up_was_made_up_before():
    _, _, arguments = bound("move_visit")
    assert arguments["day"].kind == "free"
    assert arguments["day"].value in DAYS


def test_a_walk_that_cannot_bind_ends():
    world = clinic().open()
    walk = Walk(clinic(), world, Random(0))
    walk.enter(Entry(tool="clinic.get_doctor", table="doctors", kind="lookup"))
    with pytest.raises(DeadEndError):
        request(walk, "clinic.move_visit")
