"""Findings: how many things a check of the audit looked at, and each place where it failed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from envwright.events import Envelope
from envwright.events.canonical import Json

LISTED = 100
"""Failures of one check that are listed; more are counted."""


class Failure(NamedTuple):
    """One place where the record is not as it should be."""

    event: str
    position: int
    expected: str
    found: str


class Found(Protocol):
    """What a check has found, here or in the store."""

    @property
    def checked(self) -> int:
        """How many things were looked at."""

    @property
    def failed(self) -> int:
        """How many of them are wrong."""

    @property
    def failures(self) -> Sequence[tuple[str, int, str, str]]:
        """The first of them: event, position, expected, found."""


@dataclass
class Check:
    """One check of the audit."""

    checked: int = 0
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)

    def fail(self, envelope: Envelope, expected: object, found: object) -> None:
        """Note that an event is not as it should be."""
        self.fail_at(envelope.id, envelope.position, expected, found)

    def fail_at(self, event: str, position: int, expected: object, found: object) -> None:
        """Note that something at a position is not as it should be."""
        self.failed += 1
        if len(self.failures) < LISTED:
            self.failures.append(Failure(event, position, str(expected), str(found)))


def as_json(found: Found, **more: Json) -> dict[str, Json]:
    """Return a check as JSON."""
    return {
        "ok": found.failed == 0,
        "checked": found.checked,
        "failed": found.failed,
        "failures": [Failure(*failure)._asdict() for failure in found.failures],
        **more,
    }
