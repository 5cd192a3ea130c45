"""Skips are all counted; the first keep their place."""

from envwright.recipes.recipe import SKIPS_KEPT
from envwright.recipes.toolspace.readers.skips import Skips


def test_all_skips_are_counted_and_the_first_are_kept():
    skips = Skips()
    for number in range(SKIPS_KEPT + 5):
        skips.add(f"line {number}", "bad")
    assert skips.count == SKIPS_KEPT + 5
    assert [skip.place for skip in skips.kept()] == [f"line {n}" for n in range(SKIPS_KEPT)]
