"""Episodes: their names, the order of their parts, and their traces."""

import math

import pytest

from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.readers.episodes import UNTIMED, episode, episode_id, moment

CALL = Call("get", {"k": 1}, True, "one")


def test_numbers_and_times_are_ordered_by_size_in_whichever_form():
    assert moment("9") < moment(10) < moment("11.5")
    assert moment("1700000000000000001") < moment("1700000000000000002")
    assert moment("2026-01-01T00:00:00Z") < moment("2026-01-01T02:00:01+02:00")
    assert moment("2026-01-01T00:00:00") == moment("2026-01-01T00:00:00+00:00")
    assert moment("step a") < moment("step b") < UNTIMED


@pytest.mark.parametrize("value", [None, True, math.nan, math.inf, "", [], {}])
def test_what_tells_no_moment_is_untimed(value):
    assert moment(value) == UNTIMED


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "9" * 40])
def test_text_that_is_no_moment_is_ordered_by_its_letters(value):
    assert moment(value)[0] in (0, 1)
    assert moment(value) < UNTIMED


def test_an_element_names_its_episode():
    assert episode_id({"task_id": 0, "id": "x"}) == "0"
    assert episode_id({"id": "x"}) == "x"
    assert episode_id({"id": "x"}, own=False) == ""
    assert episode_id({"trace_id": "", "session_id": "s"}, own=False) == "s"
    assert episode_id({"trace_id": True}) == ""
    assert episode_id([1]) == ""


def test_an_episode_without_a_name_is_called_by_what_the_user_said():
    one, two = episode("", ["please"], [CALL]), episode("", ["please"], [])
    assert one.task == two.task != ""
    assert episode("", [" "], [CALL]).task != episode("", [" "], []).task
    assert episode("7", ["please"], []).task == "7"


def test_words_are_in_normal_form_and_without_half_characters():
    assert episode("a\ud800", ["e\u0301", "", "b\ud800"], []).said == "é\nb?"
    assert episode("a\ud800", [], []).task == "a?"
