"""Spending: the time, effects, attempts and tokens that went into what is audited."""

from collections import OrderedDict
from dataclasses import dataclass, field

from envwright.agents.stages import MINE, STAGES
from envwright.events import Envelope
from envwright.events.canonical import Json

_REMEMBERED = 10_000
"""Pieces of work whose time is remembered, since their later events count from the same start."""

_TOKENS = ("input_tokens", "cached_tokens", "output_tokens")
_MINED = ("source.ingested", "source.profiled", "run.started")


@dataclass
class Spending:
    """Adds up what events measured."""

    attempts: int = 0
    turns: int = 0
    claims: int = 0
    effect_seconds: float = 0.0
    model_calls: int = 0
    tokens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_TOKENS, 0))
    _stages: dict[str, float] = field(default_factory=dict)
    _works: OrderedDict[tuple[str, str], float] = field(default_factory=OrderedDict)

    def see(self, envelope: Envelope) -> None:
        """Take the next event."""
        match envelope.type:
            case "attempt.finished":
                self.attempts += 1
            case "turn.taken":
                self.turns += 1
            case "work.claimed":
                self.claims += 1
            case "effect.completed":
                self._completed(envelope)
        if envelope.actor.role in STAGES:
            self._worked(envelope)

    def report(self) -> dict[str, Json]:
        """Return the sums."""
        order = [MINE, *STAGES.values()]
        return {
            "stages": [
                {"stage": stage, "seconds": round(self._stages[stage], 3)}
                for stage in order
                if stage in self._stages
            ],
            "claims": self.claims,
            "attempts": self.attempts,
            "turns": self.turns,
            "effect_seconds": round(self.effect_seconds, 3),
            "model_calls": self.model_calls,
            **self.tokens,
        }

    def _completed(self, envelope: Envelope) -> None:
        self.effect_seconds += _seconds(envelope)
        result = envelope.data.get("result")
        usage = result.get("usage") if isinstance(result, dict) else None
        if isinstance(usage, dict):
            self.model_calls += 1
            for name in _TOKENS:
                if isinstance(usage.get(name), int):
                    self.tokens[name] += usage[name]

    def _worked(self, envelope: Envelope) -> None:
        role = envelope.actor.role
        stage = MINE if envelope.type in _MINED else STAGES[role]
        work = (stage, envelope.causation_id or envelope.id)
        seconds, known = _seconds(envelope), self._works.pop(work, 0.0)
        self._works[work] = max(seconds, known)
        self._stages[stage] = self._stages.get(stage, 0.0) + max(0.0, seconds - known)
        if len(self._works) > _REMEMBERED:
            self._works.popitem(last=False)


def _seconds(envelope: Envelope) -> float:
    seconds = envelope.metrics.get("seconds")
    return float(seconds) if isinstance(seconds, int | float) else 0.0
