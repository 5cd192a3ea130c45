"""Variety: what differs enough to be asked for, and the words of conditions."""

from envwright.recipes.toolspace.walks.variety import FEWEST
from support.clinic import clinic
from support.searching_clinic import SEARCH, searching_clinic


def test_only_what_differs_in_rows_can_be_asked_for():
    variety = clinic().variety
    assert ("day",) in variety.varying("visits")
    # Every visit has a note of the desk that says the same.
    assert ("notes", "*", "author") not in variety.varying("visits")
    days = {row["day"] for row in clinic().table("visits").rows.values()}
    assert len(days) >= FEWEST


def test_answers_are_asked_for_by_fields_of_one_list_at_most():
    found = searching_clinic().variety.answers(SEARCH)
    assert ("*", "room") in found
    assert all(pattern.count("*") <= 1 and pattern[-1] != "*" for pattern in found)


def test_conditions_are_words_that_rows_hold():
    words = clinic().variety.conditions("visits")
    assert {"booked", "done", "friday"} <= words
    assert "whole" not in words
