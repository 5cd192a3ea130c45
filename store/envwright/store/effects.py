"""Effects: what the stream of a piece of work says about the effects of its tries."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from envwright.events import Envelope, digest
from envwright.events.catalog import (
    EffectCompleted,
    EffectRequested,
    EffectResolved,
    WorkClaimed,
)


def effect_key(work: str, try_number: int, node: str, task: int, ordinal: int) -> str:
    """Derive an effect's key; short enough for a container's name."""
    return f"eff-{digest(['effect', work, try_number, node, task, ordinal])[:24]}"


@dataclass(frozen=True, slots=True)
class RecordedEffect:
    """One effect: its request, its outcome, and what a person decided about it last."""

    requested: EffectRequested
    completed: EffectCompleted | None = None
    resolved: str | None = None
    claims_before: int = 0
    """How many claims the work had when the person decided."""

    def decision(self, claims: int) -> str | None:
        """Return the decision that stands after `claims` claims.

        `retry` allows the next claim to act and no later one: once that has acted, the outcome
        is as unknown as before.
        """
        if self.resolved == "retry" and claims > self.claims_before + 1:
            return None
        return self.resolved


@dataclass(slots=True)
class WorkHistory:
    """The effects on a work stream, by key, and how often the work was claimed."""

    effects: dict[str, RecordedEffect] = field(default_factory=dict)
    claims: int = 0

    @classmethod
    def of(cls, events: Iterable[Envelope]) -> "WorkHistory":
        """Fold a work stream."""
        history = cls()
        for envelope in events:
            history._apply(envelope)
        return history

    def find(self, wanted: EffectRequested) -> RecordedEffect | None:
        """Return what was recorded under a request's key.

        A `once` effect outlives its try: a later try that asks for the same again gets what the
        earlier one recorded, and an outcome that nobody knows stands in the way of any other.
        """
        found = self.effects.get(wanted.key)
        if found is not None or wanted.effect_class != "once":
            return found
        earlier = [
            effect
            for effect in self.effects.values()
            if effect.requested.effect_class == "once" and _slot(effect.requested) == _slot(wanted)
        ]
        for effect in reversed(earlier):
            unknown = effect.completed is None and effect.decision(self.claims) is None
            if unknown or effect.requested.request == wanted.request:
                return effect
        return None

    def reads(self, try_number: int) -> dict[str, int]:
        """Return what a try had read by its requests: stream to sequence, the first one holds."""
        pins: dict[str, int] = {}
        for effect in self.effects.values():
            if effect.requested.try_number == try_number:
                pins = effect.requested.reads | pins
        return pins

    def _apply(self, envelope: Envelope) -> None:
        fact = envelope.fact
        if isinstance(fact, WorkClaimed):
            self.claims += 1
        elif isinstance(fact, EffectRequested):
            self.effects[fact.key] = RecordedEffect(fact)
        elif isinstance(fact, EffectCompleted):
            self.effects[fact.key] = replace(self.effects[fact.key], completed=fact)
        elif isinstance(fact, EffectResolved):
            self.effects[fact.key] = replace(
                self.effects[fact.key], resolved=fact.decision, claims_before=self.claims
            )


def _slot(requested: EffectRequested) -> tuple[str, int, int]:
    return (requested.node, requested.task, requested.ordinal)
