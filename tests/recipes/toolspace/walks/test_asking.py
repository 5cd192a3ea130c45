"""Asking: values that only a look can tell."""

from random import Random

import pytest

from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.walks.asking import question
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk
from support.clinic import clinic

FIND = Entry(tool="clinic.find_patient", table="patients", kind="find")


def asked(table):
    for seed in range(20):
        world = clinic().open()
        walk = Walk(clinic(), world, Random(seed))
        try:
            walk.enter(FIND)
            return walk, question(walk, table)
        except DeadEndError:
            continue
    raise AssertionError("nothing was asked")


@pytest.mark.parametrize("table", ["patients", "visits", "doctors"])
def test_the_row_that_is_asked_about_was_read_for_it(table):
    walk, one = asked(table)
    place = walk.places[one.place]
    assert place.table == table
    value = clinic().row(table, place.key)
    for step in one.path:
        value = value[step]
    assert value == one.value
    assert one.value not in walk.given.values()


def test_a_row_is_not_asked_about_twice():
    walk, _ = asked("patients")
    with pytest.raises(DeadEndError):
        question(walk, "patients")
