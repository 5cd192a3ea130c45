"""The port of the recipes: what a method must offer so that six agents can run it blindly.

sources -- disguise --> sources (before anything of them is kept, if a user asks for it)
sources -- ingest --> Ingested … -- profile --> profile (JSON)
profile + settings + slot -- brief --> Brief -- build --> Draft -- repair --> Draft
profile + Brief -- gate_set --> the gates of its Drafts
bundle -- review --> findings      bundle -- fingerprint --> novelty keys
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError, EnvwrightError
from envwright.events.values import Brief, GateSpec, RunSettings, Skip, Value
from envwright.sandbox.packages import Bundle

SKIPS_KEPT = 20
"""How many skipped parts of a source keep their place; all of them are counted."""


Options = Mapping[str, Json]
"""Settings of the recipe itself, by name."""

NO_OPTIONS: Options = {}

Source = tuple[str, bytes]
"""A source's name and its bytes."""

HELD_OUT = "holdout/"
"""How the name of a source begins that was set aside for evaluation."""


class NoTaskError(EnvwrightError):
    """No package can be made for a brief; the slot is rejected with the reason code."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Disguise:
    """What of the sources a user wants to be replaced by pseudonyms."""

    fields: tuple[str, ...]
    """Names of fields, or ends of paths to them, such as `address.zip`."""
    key: bytes = field(default=b"", repr=False)
    """A secret: equal keys give equal pseudonyms. Empty: a digest of the sources, which is as
    secret as they are, and gives other pseudonyms to other sources."""

    @classmethod
    def of(cls, options: Mapping[str, Json], key: str = "") -> "Disguise | None":
        """Return what the options of a run ask for; None if they ask for nothing.

        Raises:
            BadInputError: the option is no list of names, or a key is among the options.
        """
        if "pseudonym_key" in options:
            raise BadInputError(
                "option pseudonym_key would be kept in the log; give the key in the environment "
                "variable ENVWRIGHT_PSEUDONYM_KEY"
            )
        fields = options.get("pseudonymise", [])
        fields = [fields] if isinstance(fields, str) else fields
        if not isinstance(fields, list) or not all(isinstance(f, str) and f for f in fields):
            raise BadInputError(f"option pseudonymise is {fields!r}; expected names of fields")
        return cls(tuple(fields), key.encode()) if fields else None


@dataclass(frozen=True, slots=True)
class Ingested:
    """A source as a recipe understood it; `material` is the recipe's own."""

    name: str
    format: str
    records: int
    calls: int
    skipped: int
    skips: tuple[Skip, ...]
    """The first skipped parts, with their places."""
    material: Any = field(repr=False)


class SlotRequest(Value):
    """The slot that a brief is asked for."""

    package: str
    round: int
    ordinal: int


class SlotOutcome(Value):
    """How a slot of an earlier round ended: all that a brief may know of other packages."""

    round: int
    ordinal: int
    admitted: bool
    reasons: tuple[str, ...] = ()
    plan: dict[str, Any] = {}
    """The plan of the slot's brief."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A built package and the gates that it must pass."""

    bundle: Bundle
    gate_set: tuple[GateSpec, ...]


class Blame(Value):
    """What the Critic asks a repair of: the artifact, why, and the repair's number from 1."""

    artifact: str
    reason: str
    repair_round: int


class Finding(Value):
    """What the Critic reads in a bundle: a reason code and the artifact that it blames."""

    reason: str
    artifact: str
    """environment, instruction, solution or verifier."""
    detail: str = ""


class Recipe(Protocol):
    """A method. Every member is pure: equal input gives equal output, on any machine."""

    @property
    def id(self) -> str:
        """The name by which a run asks for the recipe."""

    @property
    def version(self) -> str:
        """Version of the method: another one may make other packages from the same sources."""

    @property
    def title(self) -> str:
        """One line for people."""

    @property
    def needs(self) -> str:
        """Which sources it reads."""

    @property
    def state(self) -> str:
        """What of it works."""

    def disguise(self, sources: Sequence[Source], disguise: Disguise) -> list[Source]:
        """Return the sources with pseudonyms for personal data, equal for equal values in all.

        Raises:
            BadInputError: a source cannot be read, or has nothing of what is to be replaced.
        """

    def ingest(self, name: str, data: bytes) -> Ingested:
        """Read a source; bad parts of it are counted skips.

        Raises:
            BadInputError: the whole source cannot be used.
        """

    def profile(self, sources: Sequence[Ingested], options: Options = NO_OPTIONS) -> Json:
        """Mine the sources: equal bytes for any order of sources and of their records.

        Raises:
            BadInputError: the sources together hold nothing to work on, or an option is no good.
        """

    def exports(self, profile: Json) -> dict[str, bytes]:
        """Return the JSON files that a run offers besides its packages, by name."""

    def summary(self, profile: Json) -> dict[str, Json]:
        """Return the few figures of a profile that go into an event."""

    def brief(
        self,
        profile: Json,
        settings: RunSettings,
        slot: SlotRequest,
        history: Sequence[SlotOutcome],
    ) -> Brief:
        """Order one package; `history` holds the outcomes of earlier rounds, in slot order."""

    def gate_set(self, profile: Json, brief: Brief) -> tuple[GateSpec, ...]:
        """Return the gates that the package of a brief must pass, whether built or repaired."""

    def build(self, profile: Json, brief: Brief) -> Draft:
        """Make the package of a brief.

        Raises:
            NoTaskError: the sources give no task for it.
        """

    def repair(self, profile: Json, brief: Brief, draft: Bundle, blame: Blame) -> Draft:
        """Make the blamed artifact of a draft anew.

        Raises:
            NoTaskError: nothing else can be made.
        """

    def review(self, bundle: Bundle) -> tuple[Finding, ...]:
        """Read a bundle for leaks, boundary, contract and ambiguity; empty means none found."""

    def fingerprint(self, bundle: Bundle) -> tuple[str, ...]:
        """Return novelty keys: two packages that share one are alike."""

    def describe(self, bundle: Bundle) -> dict[str, Json]:
        """Return what a report says of a package, such as `services` and `calls`."""

    def report(self, profile: Json) -> dict[str, Json]:
        """Return the recipe's own part of the report of a run."""
