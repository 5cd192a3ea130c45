"""The command `recipes`."""

from envwright.recipes import RECIPES
from support.command_line import answer, envwright


def test_every_recipe_says_what_it_makes_needs_and_can() -> None:
    found = answer("recipes")["recipes"]
    assert [recipe["recipe"] for recipe in found] == sorted(RECIPES)
    page = envwright("recipes").stdout
    for recipe in found:
        assert {"version", "title", "needs", "state"} <= recipe.keys()
        assert recipe["recipe"] in page
