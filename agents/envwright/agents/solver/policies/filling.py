"""Filling: the arguments of one call while they are found, always the surest slot next."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from envwright.agents.solver.policies.evidence import Candidate, Evidence
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.parameters import Slot
from envwright.agents.solver.policies.shape import is_scalar, value_key
from envwright.events import Json

Banned = frozenset[tuple[str, str]]
"""Slot names with the keys of values that they must not take again."""

_LINK, _REUSED, _BESIDE, _SAME_CLAUSE = 2.0, 4.0, 1.0, 0.6
_SURE_OF_OPTIONAL, _NAMED = 2.5, 0.5
_CONSIDERED = 30


@dataclass(frozen=True)
class Doubt:
    """A slot that might as well have taken another value, and what that would cost in evidence."""

    loss: float
    slot: str
    value: str


@dataclass
class Filling:
    """What the slots of a call have taken so far."""

    evidence: Evidence
    focus: Focus
    banned: Banned
    settled: dict[str, Any] = field(default_factory=dict)
    scores: list[float] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    """Keys of the values that slots have taken."""
    ids: list[Json] = field(default_factory=list)
    """The values of the slots that say which things the call is about."""

    def inside(self) -> "Filling":
        """Return a filling for the fields of an object, which take none of the values used here."""
        return Filling(self.evidence, self.focus, self.banned, used=set(self.used))

    def is_banned(self, slot: Slot, value: Json) -> bool:
        """Say whether the slot must not take the value."""
        return (slot.name, value_key(value)) in self.banned

    def weighed(self, slot: Slot) -> list[Candidate]:
        """Return a slot's candidates in the light of what the other slots took, the best first."""
        found = self.evidence.candidates(slot, self.focus)
        allowed = [one for one in found if not self.is_banned(slot, one.value)][:_CONSIDERED]
        scored = [replace(one, score=one.score + self._company(slot, one)) for one in allowed]
        return sorted(scored, key=lambda candidate: -candidate.score)

    def _company(self, slot: Slot, candidate: Candidate) -> float:
        if slot.choices:
            return 0.0
        score = self._nearness(candidate.value)
        if value_key(candidate.value) in self.used:
            score -= _REUSED if candidate.label < 1 else _REUSED / 2
        return score + (_LINK * self.links(candidate.value) if slot.identifies else 0.0)

    def links(self, value: Json) -> float:
        """Say from 0 to 1 how closely the value was seen together with the things of the call."""
        known = self.evidence.knowledge
        others = [one for one in self.ids if known.about(one)]
        return sum(known.related(value, other) for other in others) / max(1, len(others))

    def _nearness(self, value: Json) -> float:
        """Weigh whether the instruction names the value beside a settled one."""
        instruction = self.evidence.instruction
        here = instruction.by_value.get(value_key(value), ())
        there = [
            mention
            for other in self.settled.values()
            if is_scalar(other) and here
            for mention in instruction.by_value.get(value_key(other), ())
        ]
        gaps = [max(a.start, b.start) - min(a.end, b.end) for a in here for b in there]
        if any(0 <= gap <= 1 for gap in gaps):
            return _BESIDE
        clauses = {instruction.clause_at(mention.start) for mention in there}
        return _SAME_CLAUSE * any(instruction.clause_at(one.start) in clauses for one in here)

    def settle(self, slot: Slot, value: Any, score: float, ranked: list[Candidate]) -> None:
        """Give the slot its value, and note what else it might have taken."""
        self.settled[slot.name] = value
        self.scores.append(score)
        if slot.identifies and is_scalar(value):
            self.ids.append(value)
        self.used.update(
            value_key(part) for part in (value if isinstance(value, list) else [value])
        )
        if len(ranked) > 1:
            loss = score - ranked[1].score
            self.doubts.append(Doubt(loss, slot.name, value_key(ranked[0].value)))

    def fill_scalars(self, slots: Iterable[Slot], floor: float) -> bool:
        """Fill the slots that hold no parts; False if a required one stays empty."""
        remaining = [slot for slot in slots if not slot.holds_parts]
        while remaining:
            ranked = {slot.name: self.weighed(slot) for slot in remaining}
            slot = max(remaining, key=lambda slot: _lead(ranked[slot.name]))
            remaining.remove(slot)
            if not self._fill(slot, ranked[slot.name], floor):
                return False
        return True

    def _fill(self, slot: Slot, ranked: list[Candidate], floor: float) -> bool:
        best = ranked[0] if ranked else None
        if best is None or not (best.score >= floor if slot.required else _is_asked_for(best)):
            return not slot.required or self._fall_back(slot, ranked)
        self.settle(slot, best.value, best.score, ranked)
        return True

    def _fall_back(self, slot: Slot, ranked: list[Candidate]) -> bool:
        """Fill a slot that nothing was said for: as a record has it, else with a default."""
        known = [one for one in ranked if one.label >= _NAMED and not one.mentioned]
        if known:
            best = max(known, key=lambda one: (self.links(one.value), one.score))
            self.settle(slot, best.value, 0.0, [])
        elif "default" in slot.schema:
            self.settle(slot, slot.schema["default"], 0.0, [])
        elif slot.kind == "boolean":
            self.settle(slot, False, 0.0, [])
        elif slot.nullable:
            self.settle(slot, None, 0.0, [])
        return slot.name in self.settled


def _lead(ranked: list[Candidate]) -> float:
    if not ranked:
        return float("-inf")
    return ranked[0].score - (ranked[1].score if len(ranked) > 1 else 0.0)


def _is_asked_for(candidate: Candidate) -> bool:
    named = candidate.mentioned and candidate.label >= _NAMED
    return named and candidate.score >= _SURE_OF_OPTIONAL
