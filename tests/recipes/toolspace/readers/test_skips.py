"""Skips are all counted; the first keep their place, in words that can be shown."""

import pytest

from envwright.recipes.recipe import SKIPS_KEPT
from envwright.recipes.toolspace.readers.jsontext import parse
from envwright.recipes.toolspace.readers.skips import Skips, printable, shown


def test_all_skips_are_counted_and_the_first_are_kept():
    skips = Skips()
    for number in range(SKIPS_KEPT + 5):
        skips.add(f"line {number}", "bad")
    assert skips.count == SKIPS_KEPT + 5
    assert [skip.place for skip in skips.kept()] == [f"line {n}" for n in range(SKIPS_KEPT)]


def test_a_reason_is_short_and_can_be_printed():
    skips = Skips()
    skips.add("line \ud800", "bad \ud800" + "x" * 1000)
    (skip,) = skips.kept()
    assert skip.place == "line ?"
    assert skip.reason.startswith("bad ?xx")
    assert len(skip.reason) < 250


@pytest.mark.parametrize(
    ("text", "told"), [('"a"', "'a'"), ("12", "12"), ("[1]", "list"), ('{"a": 1}', "dict")]
)
def test_a_value_is_shown_without_what_it_holds(text, told):
    assert shown(parse(text)) == told


def test_half_characters_are_question_marks():
    assert (printable("é\udc00"), printable("plain")) == ("é?", "plain")
