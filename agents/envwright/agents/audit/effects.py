"""Effects: every effect that was asked for has one outcome, or is listed as of unknown outcome."""

from dataclasses import dataclass, field

from envwright.agents.audit.findings import LISTED, Check
from envwright.events import Envelope
from envwright.events.canonical import Json


@dataclass
class Effects:
    """Pairs requests with outcomes; remembers only what is still open."""

    check: Check = field(default_factory=Check)
    kinds: dict[str, int] = field(default_factory=dict)
    """Effects by kind."""
    _open: dict[str, dict[str, Json]] = field(default_factory=dict)

    def see(self, envelope: Envelope) -> None:
        """Take the next event."""
        if envelope.type == "effect.requested":
            self._requested(envelope)
        elif envelope.type == "effect.completed":
            self.check.checked += 1
            if self._open.pop(str(envelope.data.get("key")), None) is None:
                self.check.fail(
                    envelope, "one outcome of an effect that was requested", "another or unasked"
                )
        elif envelope.type == "effect.resolved" and str(envelope.data.get("key")) not in self._open:
            expected = "a decision about an effect of unknown outcome"
            self.check.fail(envelope, expected, "none such")

    def _requested(self, envelope: Envelope) -> None:
        data = envelope.data
        key, kind = str(data.get("key")), str(data.get("kind"))
        if key in self._open:
            self.check.fail(envelope, "each effect requested once", f"effect {key} again")
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self._open[key] = {
            "event": envelope.id,
            "position": envelope.position,
            "kind": kind,
            "class": data.get("effect_class"),
            "work": data.get("work"),
        }

    def unknown(self) -> list[dict[str, Json]]:
        """Return the effects whose outcome nobody recorded, oldest first, as far as listed."""
        return list(self._open.values())[:LISTED]

    @property
    def open(self) -> int:
        """How many effects have no recorded outcome."""
        return len(self._open)
