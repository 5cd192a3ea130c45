"""A recipe for tests: packages about the repair desk of `support.packages`, one for each slot."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from envwright.events import content_seed
from envwright.events.canonical import Json
from envwright.events.errors import BadInputError, InfrastructureError
from envwright.events.values import Brief, GateSpec, RunSettings, Skip
from envwright.recipes import (
    Blame,
    Disguise,
    Draft,
    Finding,
    Ingested,
    NoTaskError,
    SlotOutcome,
    SlotRequest,
    Source,
    registry,
)
from envwright.recipes.recipe import NO_OPTIONS, Options
from envwright.sandbox.gates import gate_spec
from envwright.sandbox.packages import Bundle
from support.packages import FACTS, INSTRUCTION, NEW_TICKET, TICKETS, desk_files, equals, frame

GATES = ("executable", "reference_passes", "noop_fails", "no_leak")
"""Gates that need no process of their own: quick ones."""

SUBJECTS = ("scanner jams", "lid is loose", "fan rattles", "screen flickers", "ink is low")


class DeskRecipe:
    """Reads a JSON list of subjects and makes a package about each slot's own new ticket.

    A subject `none` gives no task, `flawed` a package whose reference solution fails, and `down`
    is about a machine that is down.
    """

    id = "desk"
    version = "1"
    title = "a repair desk with two tables"
    needs = "a JSON list of subjects"
    state = "for tests"

    def disguise(self, sources: Sequence[Source], disguise: Disguise) -> list[Source]:
        """Call every subject that is named something else."""
        found = []
        for name, data in sources:
            for field in disguise.fields:
                data = data.replace(field.encode(), b"somebody")
            found.append((name, data))
        return found

    def ingest(self, name: str, data: bytes) -> Ingested:
        """Read a list; elements that are no text are skipped."""
        try:
            values = json.loads(data)
        except ValueError as error:
            raise BadInputError(f"{name}: expected a JSON list of subjects ({error})") from error
        if not isinstance(values, list):
            raise BadInputError(f"{name}: expected a JSON list of subjects")
        good = [value for value in values if isinstance(value, str)]
        skips = tuple(
            Skip(place=f"{name}[{index}]", reason="not text")
            for index, value in enumerate(values)
            if not isinstance(value, str)
        )
        return Ingested(name, "subjects", len(good), len(good), len(skips), skips, good)

    def profile(self, sources: Sequence[Ingested], options: Options = NO_OPTIONS) -> Json:
        """Join the subjects."""
        subjects = sorted({subject for source in sources for subject in source.material})
        if not subjects:
            raise BadInputError("the sources hold no subject")
        return {"subjects": subjects}

    def exports(self, profile: Json) -> dict[str, bytes]:
        """Offer the subjects."""
        return {"subjects.json": json.dumps(profile["subjects"]).encode()}

    def summary(self, profile: Json) -> dict[str, Json]:
        """Count the subjects."""
        return {"subjects": len(profile["subjects"])}

    def brief(
        self,
        profile: Json,
        settings: RunSettings,
        slot: SlotRequest,
        history: Sequence[SlotOutcome],
    ) -> Brief:
        """Order a package about the slot's subject."""
        seed = content_seed(settings.seed, self.id, slot.round, slot.ordinal)
        subjects = profile["subjects"]
        place = (slot.round - 1) * settings.round_size + slot.ordinal - 1
        return Brief(
            package=slot.package,
            recipe=self.id,
            recipe_version=self.version,
            round=slot.round,
            ordinal=slot.ordinal,
            content_seed=seed,
            plan={"subject": subjects[place % len(subjects)]},
        )

    def gate_set(self, profile: Json, brief: Brief) -> tuple[GateSpec, ...]:
        """Ask for the quick gates."""
        return tuple(gate_spec(gate) for gate in GATES)

    def build(self, profile: Json, brief: Brief) -> Draft:
        """Make the package."""
        subject = brief.plan["subject"]
        if subject == "down":
            raise InfrastructureError("the machine is down")
        if subject == "none":
            raise NoTaskError("NO_TASK", "the subject says so")
        ticket = f"T-{int(brief.content_seed[:6], 16):08d}"
        bundle = Bundle.sealed(desk_files(lambda documents: _rewrite(documents, subject, ticket)))
        return Draft(bundle, self.gate_set(profile, brief))

    def repair(self, profile: Json, brief: Brief, draft: Bundle, blame: Blame) -> Draft:
        """Mend nothing."""
        raise NoTaskError(blame.reason, "the desk has no other way")

    def review(self, bundle: Bundle) -> tuple[Finding, ...]:
        """Find nothing."""
        return ()

    def fingerprint(self, bundle: Bundle) -> tuple[str, ...]:
        """A subject is a package's whole novelty."""
        return (bundle.solution.calls[-1].arguments["subject"],)

    def describe(self, bundle: Bundle) -> dict[str, Json]:
        """Say what the package is about."""
        return {"services": ["desk"], "calls": len(bundle.solution.calls)}

    def report(self, profile: Json) -> dict[str, Json]:
        """Add nothing."""
        return {}


def _rewrite(documents: dict[str, Any], subject: str, ticket: str) -> None:
    """Let the documents speak of another subject and ticket."""
    documents["instruction.md"] = INSTRUCTION.replace("scanner jams", subject).replace(
        "T-2001", ticket
    )
    filed = {**NEW_TICKET, "subject": "another" if subject == "flawed" else subject}
    documents["tests/assertions.json"]["state"][2] = equals("filed", ["tickets", ticket], filed)
    documents["tests/assertions.json"]["frames"][1] = frame(
        "tickets", "tickets", TICKETS, "T-1002", ticket
    )
    arguments = documents["solution/calls.json"]["calls"][-1]["arguments"]
    arguments.update(ticket_id=ticket, subject=subject)
    documents["blueprint.json"]["facts"] = FACTS


def install(patch: pytest.MonkeyPatch) -> None:
    """Let runs of this process ask for the recipe by its name."""
    patch.setattr(registry, "RECIPES", {**registry.RECIPES, DeskRecipe.id: DeskRecipe()})
