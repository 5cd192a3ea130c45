"""The provenance `provenance.json`: which events made a package; outside the revision digest."""

from typing import Any, ClassVar, Literal

from pydantic import Field

from envwright.events.values import GateResult, Value
from envwright.sandbox.packages.document import Document


class ProvenanceEvent(Value):
    """An event of the log that the package rests on."""

    id: str
    type: str
    position: int = Field(ge=1)
    hash: str = ""


class Parent(Value):
    """A revision that this package was evolved from, and how."""

    package: str
    revision: str
    operator: str
    knobs: dict[str, Any] = Field(default_factory=dict)
    seed: str = ""


class Provenance(Document):
    """Where a written package comes from: run, events, parents and gate results."""

    PATH: ClassVar[str] = "provenance.json"

    schema_version: Literal[1] = 1
    run: str
    package: str
    revision: str
    """Revision digest of the content beside this file."""
    events: tuple[ProvenanceEvent, ...] = ()
    parents: tuple[Parent, ...] = ()
    gates: tuple[GateResult, ...] = ()
