"""A recipe for tests whose packages do not all have the same gates."""

import pytest

from envwright.events.canonical import Json
from envwright.events.values import Brief, GateSpec
from envwright.recipes import registry
from envwright.sandbox.gates import gate_spec
from support.desk_recipe import DeskRecipe


class ChoosyRecipe(DeskRecipe):
    """Packages of the desk; of those about ink no prefix of the solution may pass either."""

    id = "choosy"

    def gate_set(self, profile: Json, brief: Brief) -> tuple[GateSpec, ...]:
        """Ask for one gate more where the subject is about ink."""
        more = (gate_spec("prefixes_fail"),) if "ink" in brief.plan["subject"] else ()
        return (*super().gate_set(profile, brief), *more)


def install(patch: pytest.MonkeyPatch) -> None:
    """Let runs of this process ask for the recipe by its name."""
    recipe = ChoosyRecipe()
    patch.setattr(registry, "RECIPES", {**registry.RECIPES, recipe.id: recipe})
