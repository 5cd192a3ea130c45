"""The registry finds recipes by id and lists them when it cannot."""

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes import RECIPES, get_recipe


def test_every_recipe_is_found_by_its_id():
    assert {name: get_recipe(name).id for name in RECIPES} == {name: name for name in RECIPES}


def test_an_unknown_recipe_is_refused_with_those_there_are():
    with pytest.raises(
        BadInputError, match=r"unknown recipe 'nonesuch'; the recipes are .*toolspace"
    ):
        get_recipe("nonesuch")
