"""The timeline: when each role was at work, and the turning points, in a bounded space."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from envwright.events import Envelope
from envwright.events.canonical import Json

SLOTS = 120
"""Stretches of time that a timeline has at most; they double where it does not suffice."""

_POINTS = 400
"""Turning points that are listed."""

_TURNING = frozenset(
    {
        *("run.requested", "run.started", "run.forked", "run.paused", "run.resumed"),
        *("run.completed", "run.failed", "round.opened", "round.settled"),
        *("package.admitted", "package.rejected", "package.inherited", "dataset.exported"),
    }
)


@dataclass
class Timeline:
    """Counts events by role over time, on the store's clock."""

    width: float = 0.05
    """Seconds of a slot."""
    _start: float | None = None
    _last: float = 0.0
    _counts: dict[str, Counter[int]] = field(default_factory=dict)
    _points: list[dict[str, Json]] = field(default_factory=list)
    _first_at: str = ""
    _last_at: str = ""
    _more: int = 0

    def see(self, envelope: Envelope) -> None:
        """Take the next event; one whose time cannot be read has no place here."""
        try:
            now = datetime.fromisoformat(envelope.recorded_at.replace("Z", "+00:00")).timestamp()
        except ValueError:
            return
        if self._start is None:
            self._start, self._first_at = now, envelope.recorded_at
        # A clock may step back: what it says then stands at the left edge.
        since = max(0.0, now - self._start)
        if since >= self._last:
            self._last, self._last_at = since, envelope.recorded_at
        while since / self.width >= SLOTS:
            self._widen()
        counts = self._counts.setdefault(envelope.actor.role, Counter())
        counts[int(since / self.width)] += 1
        if envelope.type in _TURNING:
            self._turn(envelope, since)

    def report(self) -> dict[str, Json]:
        """Return counts by role and slot, and the turning points in order."""
        return {
            "from": self._first_at,
            "to": self._last_at,
            "seconds": round(self._last, 3),
            "slot_seconds": self.width,
            "roles": {
                role: [counts[slot] for slot in range(int(self._last / self.width) + 1)]
                for role, counts in sorted(self._counts.items())
            },
            "points": self._points,
            "points_not_listed": self._more,
        }

    def _turn(self, envelope: Envelope, since: float) -> None:
        if len(self._points) >= _POINTS:
            self._more += 1
            return
        self._points.append(
            {
                "seconds": round(since, 3),
                "position": envelope.position,
                "event": envelope.id,
                "type": envelope.type,
                "about": _about(envelope),
            }
        )

    def _widen(self) -> None:
        self.width *= 2
        for role, counts in self._counts.items():
            wider: Counter[int] = Counter()
            for slot, count in counts.items():
                wider[slot // 2] += count
            self._counts[role] = wider


def _about(envelope: Envelope) -> str:
    data = envelope.data
    for name in ("package", "round", "cause", "reason"):
        if name in data:
            return f"{name} {data[name]}"
    return ""
