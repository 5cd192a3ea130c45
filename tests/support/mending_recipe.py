"""A recipe for tests whose packages have faults that can be mended, or cannot."""

import json

import pytest

from envwright.events.canonical import Json
from envwright.events.values import Brief
from envwright.recipes import Blame, Draft, Finding, registry
from envwright.sandbox.packages import Bundle
from support.desk_recipe import DeskRecipe

SOLUTION = "solution/calls.json"
INSTRUCTION = "instruction.md"
UNCLEAR = "Or the other way round. "


class MendingRecipe(DeskRecipe):
    """Packages of the desk, some with a fault that is named by the subject.

    `broken` files a wrong ticket until its solution is repaired, `hopeless` forever; `unclear`
    says something ambiguous until its instruction is repaired.
    """

    id = "mending"

    def build(self, profile: Json, brief: Brief) -> Draft:
        """Make the package, with its fault."""
        draft = super().build(profile, brief)
        subject = brief.plan["subject"]
        if subject in ("broken", "hopeless"):
            return _with_filed(draft.bundle, draft, "something else")
        if subject == "unclear":
            text = draft.bundle.instruction + UNCLEAR
            return _with(draft.bundle, draft, {INSTRUCTION: text.encode()})
        return draft

    def repair(self, profile: Json, brief: Brief, draft: Bundle, blame: Blame) -> Draft:
        """Make the blamed artifact anew."""
        fresh = super().build(profile, brief)
        if blame.artifact == "instruction":
            clear = draft.instruction.replace(UNCLEAR, "")
            return _with(draft, fresh, {INSTRUCTION: clear.encode()})
        hopeless = brief.plan["subject"] == "hopeless"
        subject = f"wrong again {blame.repair_round}" if hopeless else brief.plan["subject"]
        return _with_filed(draft, fresh, subject)

    def review(self, bundle: Bundle) -> tuple[Finding, ...]:
        """Find what is unclear."""
        if UNCLEAR not in bundle.instruction:
            return ()
        return (Finding(reason="AMBIGUOUS", artifact="instruction", detail="two ways to read it"),)


def _with_filed(bundle: Bundle, draft: Draft, subject: str) -> Draft:
    solution = bundle.json(SOLUTION)
    solution["calls"][-1]["arguments"]["subject"] = subject
    return _with(bundle, draft, {SOLUTION: json.dumps(solution).encode()})


def _with(bundle: Bundle, draft: Draft, files: dict[str, bytes]) -> Draft:
    return Draft(Bundle.sealed({**bundle.files, **files}), draft.gate_set)


def install(patch: pytest.MonkeyPatch) -> None:
    """Let runs of this process ask for the recipe by its name."""
    recipe = MendingRecipe()
    patch.setattr(registry, "RECIPES", {**registry.RECIPES, recipe.id: recipe})
