"""State replay as a level: spans of positions, and the fold of what is kept beside the log."""

from collections.abc import Sequence
from typing import Any, Protocol

from envwright.agents.replay.findings import Comparison, Divergence
from envwright.agents.replay.level import ReplayPlan


class _Place(Protocol):
    """Where stored state differs from what it should be."""

    @property
    def event(self) -> str: ...
    @property
    def expected(self) -> str: ...
    @property
    def actual(self) -> str: ...


class _Checked(Protocol):
    """What came of a part of a state replay."""

    @property
    def compared(self) -> int: ...
    @property
    def digests(self) -> dict[str, str]: ...
    @property
    def divergences(self) -> Sequence[_Place]: ...


class StateParts(Protocol):
    """The parts of a state replay, as the store does them."""

    def holes(self) -> _Place | None:
        """Check that the log has every position up to its head."""

    def spans(self, head: int) -> list[tuple[int, int]]:
        """Divide the positions up to the head."""

    def check(
        self, run_id: str | None, after: int, up_to: int, *, keep_going: bool = False
    ) -> _Checked:
        """Check the events of a span."""

    def fold(self, run_id: str | None, head: int) -> _Checked:
        """Fold the projections up to the head, and compare them with the rows that are kept."""


class StateLevel:
    """Proves every byte of the log, and what is folded from it."""

    def __init__(self, parts: StateParts, head: int) -> None:
        """Take the store's replay, and the position up to which the log is looked at."""
        self._parts = parts
        self._head = head

    def plan(self, run_id: str | None) -> ReplayPlan:
        """Return the holes, the spans and the fold, which is begun first."""
        spans = [
            {"run": run_id, "after": after, "up_to": up_to}
            for after, up_to in self._parts.spans(self._head)
        ]
        tasks = ({"holes": True}, *spans, {"run": run_id, "fold": self._head})
        return ReplayPlan(tasks=tasks, first=(len(tasks) - 1,))

    def check(self, task: Any, *, keep_going: bool) -> Comparison:
        """Check one part."""
        if "holes" in task:
            hole = self._parts.holes()
            return Comparison(divergences=() if hole is None else (_divergence(hole),))
        if "fold" in task:
            done = self._parts.fold(task["run"], task["fold"])
            counts = {"projections": len(done.digests)}
        else:
            span = (task["after"], task["up_to"])
            done = self._parts.check(task["run"], *span, keep_going=keep_going)
            counts = {"events": done.compared}
        found = tuple(_divergence(place) for place in done.divergences)
        return Comparison(compared=done.compared, counts=counts, divergences=found)


def _divergence(place: _Place) -> Divergence:
    return Divergence(event=place.event, expected=place.expected, actual=place.actual)
