"""Findings: what a check looked at, and each place where it found something else than it should."""

from dataclasses import dataclass, field
from typing import NamedTuple

LISTED = 100
"""Failures of one check that are listed; more are counted."""


class Failure(NamedTuple):
    """One place where the log is not as it should be."""

    event: str
    """Id of the event; where that is missing or not known, the positions in question."""
    position: int
    """0 where no position is at fault."""
    expected: str
    found: str


@dataclass
class Checked:
    """What one check found."""

    checked: int = 0
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)

    def fail(self, event: str, position: int, expected: object, found: object) -> None:
        """Note a failure."""
        self.failed += 1
        if len(self.failures) < LISTED:
            self.failures.append(Failure(str(event), position, str(expected), str(found)))

    def merge(self, other: "Checked") -> None:
        """Add what the same check found elsewhere."""
        self.checked += other.checked
        self.failed += other.failed
        self.failures += other.failures[: LISTED - len(self.failures)]
