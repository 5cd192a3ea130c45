"""Stages: where the time of a run went, folded from what its events measured; no digest sees it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from envwright.events.canonical import Json
from envwright.events.envelope import Envelope

STAGES = {
    "planner": "plan",
    "builder": "build",
    "tester": "test",
    "critic": "review",
    "solver": "attempt",
    "judge": "judge",
}
"""What each role's work is called; the Planner's first is reading and mining."""

MINE = "read and mine"


@dataclass
class StageTimes:
    """The working time of each stage, and the piece of work that took longest."""

    _requests: set[str] = field(default_factory=set)
    """Ids of the events that ask for a run: what answers them has read the sources."""
    _works: dict[tuple[str, str], float] = field(default_factory=dict)
    """Seconds by stage and cause: the events of one handler all count from its start."""

    def apply(self, envelope: Envelope) -> None:
        """Fold one event."""
        if envelope.type == "run.requested":
            self._requests.add(envelope.id)
        seconds = envelope.metrics.get("seconds")
        if envelope.actor.role not in STAGES or not isinstance(seconds, int | float):
            return
        cause = envelope.causation_id or ""
        work = self._stage(envelope.actor.role, cause), cause
        self._works[work] = max(float(seconds), self._works.get(work, 0.0))

    def _stage(self, role: str, cause: str) -> str:
        mining = role == "planner" and cause in self._requests
        return MINE if mining else STAGES[role]

    def report(self) -> list[dict[str, Json]]:
        """Return the stages in their order, without those that have not begun."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Json]]:
        for name in (MINE, *STAGES.values()):
            found = [seconds for (stage, _), seconds in self._works.items() if stage == name]
            if found:
                yield {
                    "stage": name,
                    "works": len(found),
                    "seconds": round(sum(found), 3),
                    "longest": round(max(found), 3),
                }
