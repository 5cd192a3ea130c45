"""The registry: every recipe by its id."""

from collections.abc import Mapping
from types import MappingProxyType

from envwright.events.errors import BadInputError
from envwright.recipes.recipe import Recipe
from envwright.recipes.toolspace import ToolSpace

_ALL: tuple[Recipe, ...] = (ToolSpace(),)

RECIPES: Mapping[str, Recipe] = MappingProxyType({recipe.id: recipe for recipe in _ALL})
"""Every recipe by its id."""


def get_recipe(recipe_id: str) -> Recipe:
    """Return a recipe.

    Raises:
        BadInputError: no recipe has this id; the message lists those there are.
    """
    if recipe_id not in RECIPES:
        raise BadInputError(f"unknown recipe {recipe_id!r}; the recipes are {', '.join(RECIPES)}")
    return RECIPES[recipe_id]
