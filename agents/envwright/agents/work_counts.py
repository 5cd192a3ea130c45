"""What the workers of a process have done since it began, by role; for whoever looks on."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

Outcome = Literal["handled", "conflict", "retried", "parked", "lost", "broken"]
"""How a claim ended; `broken` is by the log or the leases themselves."""


class Tallied(NamedTuple):
    """Counts at one moment, by role."""

    claims: dict[str, int]
    outcomes: dict[tuple[str, Outcome], int]
    in_flight: dict[str, int]
    seconds: dict[str, float]
    """Working time."""


class Ending:
    """How one claim ends, as its worker says it."""

    outcome: Outcome = "broken"


class WorkCounts:
    """Counts that all workers of a process share."""

    def __init__(self) -> None:
        self._claims: Counter[str] = Counter()
        self._outcomes: Counter[tuple[str, Outcome]] = Counter()
        self._in_flight: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._lock = threading.Lock()

    @contextmanager
    def working(self, role: str) -> Iterator[Ending]:
        """Count one claim of a role from here to the end of the block."""
        ending, started = Ending(), time.perf_counter()
        with self._lock:
            self._claims[role] += 1
            self._in_flight[role] += 1
        try:
            yield ending
        finally:
            with self._lock:
                self._in_flight[role] -= 1
                self._outcomes[role, ending.outcome] += 1
                spent = time.perf_counter() - started
                self._seconds[role] = self._seconds.get(role, 0.0) + spent

    def tallied(self) -> Tallied:
        """Return the counts as they are."""
        with self._lock:
            return Tallied(
                dict(self._claims), dict(self._outcomes), dict(self._in_flight), dict(self._seconds)
            )
