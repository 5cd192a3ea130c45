"""The methods: how sources become briefs and how a brief becomes a package."""

from envwright.recipes.recipe import (
    HELD_OUT,
    Blame,
    Disguise,
    Draft,
    Finding,
    Ingested,
    NoTaskError,
    Recipe,
    SlotOutcome,
    SlotRequest,
    Source,
)
from envwright.recipes.registry import RECIPES, get_recipe

__all__ = [
    "HELD_OUT",
    "RECIPES",
    "Blame",
    "Disguise",
    "Draft",
    "Finding",
    "Ingested",
    "NoTaskError",
    "Recipe",
    "SlotOutcome",
    "SlotRequest",
    "Source",
    "get_recipe",
]
