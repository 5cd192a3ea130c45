"""The gate: what an executed check is, what it may look at and what it finds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from envwright.events import Json
from envwright.events.errors import BadInputError
from envwright.sandbox.attempts import Rerun, replay_calls
from envwright.sandbox.isolation import Isolation
from envwright.sandbox.packages import Bundle
from envwright.sandbox.verifiers import Verification, Verifier

SEEDS = (0, 1)
"""Seeds that a reference must pass with, unless a gate's settings say `seeds`."""


@dataclass(frozen=True)
class Examination:
    """One revision under one gate: the package, the gate's settings and a place to run."""

    bundle: Bundle
    settings: Mapping[str, Any]
    isolation: Isolation

    @cached_property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that the gate runs with."""
        seeds = self.settings.get("seeds", SEEDS)
        whole = isinstance(seeds, list | tuple) and all(type(seed) is int for seed in seeds)
        if not whole or not seeds:
            raise BadInputError(f"setting `seeds` is {seeds!r}; expected a list of whole numbers")
        return tuple(seeds)

    @cached_property
    def reference(self) -> Rerun:
        """The reference calls, executed in a fresh world with the first seed."""
        return replay_calls(self.bundle, self.seeds[0], self.bundle.solution.calls)

    @cached_property
    def verifier(self) -> Verifier:
        """The package's verifier over the first state of the first seed."""
        return Verifier(self.bundle.assertions, self.reference.initial)


@dataclass(frozen=True)
class Finding:
    """What a gate found: pass or fail, never an infrastructure error."""

    passed: bool
    evidence: dict[str, Json]
    """Calls, observations and digests; nothing measured and no host path."""
    reason: str = ""
    """One of the gate's reason codes where it did not pass."""
    detail: str = ""
    blames: str = ""
    """The artifact, where it is another one than the gate's."""


@dataclass(frozen=True)
class Gate:
    """An executed check that a recipe can declare for its packages."""

    id: str
    proves: str
    """What holds of a revision that passes, in one sentence."""
    blames: str
    """The artifact that a failure routes to by default."""
    cost: int
    """Rank of its cost: cheaper gates run first."""
    check: Callable[[Examination], Finding]
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Reason codes of a failure and what each says."""
    version: str = "1"


def verification_evidence(verification: Verification) -> dict[str, Json]:
    """Return a verification as evidence."""
    return verification.model_dump(mode="json")


def shown_failures(verification: Verification) -> str:
    """Return the failed assertions with what was found, for a finding's detail."""
    failed = [item for item in verification.items if not item.passed]
    if not verification.items:
        return "the package has no assertion"
    return "; ".join(f"{item.id} found {item.found:.80}" for item in failed[:5])
