"""The methods: how sources become briefs and how a brief becomes a package."""

from envwright.recipes.recipe import (
    Blame,
    Draft,
    Finding,
    Ingested,
    NoTaskError,
    Recipe,
    SlotOutcome,
    SlotRequest,
)
from envwright.recipes.registry import RECIPES, get_recipe

__all__ = [
    "RECIPES",
    "Blame",
    "Draft",
    "Finding",
    "Ingested",
    "NoTaskError",
    "Recipe",
    "SlotOutcome",
    "SlotRequest",
    "get_recipe",
]
