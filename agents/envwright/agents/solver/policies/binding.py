"""Binding: the ways to fill a call's arguments, the best supported first."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from envwright.agents.solver.policies.evidence import Evidence
from envwright.agents.solver.policies.filling import Banned, Doubt, Filling
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.parts import part_for

_MOST_WAYS = 40


@dataclass(frozen=True)
class Binding:
    """Arguments for a call, with the evidence of its weakest slot."""

    arguments: dict[str, Any]
    weakest: float
    doubts: tuple[Doubt, ...]
    """What else it could be, the least loss of evidence first."""


@dataclass(order=True)
class _Way:
    loss: float
    number: int
    banned: Banned = field(compare=False)


def bind(
    evidence: Evidence, focus: Focus, floor: float, banned: Banned = frozenset()
) -> Binding | None:
    """Return the best arguments for a call, or None if a required slot cannot be filled.

    `floor` is the least evidence that a required scalar slot demands.
    """
    filling = Filling(evidence, focus, banned)
    slots = focus.tool.slots
    if not filling.fill_scalars(slots, floor):
        return None
    for slot in slots:
        if slot.holds_parts:
            value = part_for(slot, filling)
            if value is None and slot.required:
                return None
            if value is not None:
                filling.settle(slot, value, floor, [])
    settled = filling.settled
    ordered = {slot.name: settled[slot.name] for slot in slots if slot.name in settled}
    doubts = tuple(sorted(filling.doubts, key=lambda doubt: (doubt.loss, doubt.slot)))
    return Binding(ordered, min(filling.scores, default=floor), doubts)


def bindings(
    evidence: Evidence, focus: Focus, floor: float, banned: Banned = frozenset()
) -> Iterator[Binding]:
    """Yield ways to fill a call's arguments, giving up ever more evidence."""
    waiting = [_Way(0.0, 0, banned)]
    seen = {banned}
    for _ in range(_MOST_WAYS):
        if not waiting:
            return
        way = heapq.heappop(waiting)
        binding = bind(evidence, focus, floor, way.banned)
        if binding is None:
            continue
        yield binding
        for doubt in binding.doubts:
            further = way.banned | {(doubt.slot, doubt.value)}
            if further not in seen:
                seen.add(further)
                heapq.heappush(waiting, _Way(way.loss + doubt.loss, len(seen), further))
