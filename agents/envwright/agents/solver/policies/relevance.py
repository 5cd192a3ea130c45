"""Relevance: how much of what is known of a value the instruction says, and says of no other."""

from collections import Counter
from collections.abc import Iterable
from math import log

from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.instruction import says
from envwright.agents.solver.policies.knowledge import Described, Knowledge
from envwright.agents.solver.policies.shape import value_key
from envwright.agents.solver.policies.vocabulary import raw_words, stems
from envwright.events import Json

_ABOVE = 0.5
"""Weight of what is said of the record that a value lies in, rather than of the value."""
_NAMED, _UNNAMED, _IN_PASSING, _BEFORE, _GUARD, _PARTLY = 1.0, 0.7, 0.4, 0.4, 0.3, 0.5
_AROUND = 50


class Relevance:
    """Weighs values against each other by what is said of them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._levels: dict[tuple[Focus, Described], float] = {}

    def among(self, values: Iterable[Json], focus: Focus) -> dict[str, float]:
        """Return the relevance of each value, by its key; what fits all of them counts little."""
        told = {value_key(value): self._told(value, focus) for value in values}
        counts = Counter(text for levels in told.values() for text in levels)
        scale = log(max(2, len(told)))
        return {
            key: sum(
                levels[text] * log(len(told) / counts[text]) / scale for text in sorted(levels)
            )
            for key, levels in told.items()
        }

    def _told(self, value: Json, focus: Focus) -> dict[Described, float]:
        own, above = self._knowledge.descriptions(value)
        levels = {text: self._level(text, focus) for text in own if text.text != value}
        levels |= {text: self._level(text, focus) * _ABOVE for text in above if text.text != value}
        return {text: level for text, level in levels.items() if level}

    def _level(self, described: Described, focus: Focus) -> float:
        if (focus, described) not in self._levels:
            self._levels[focus, described] = _level(described, focus)
        return self._levels[focus, described]


def _level(described: Described, focus: Focus) -> float:
    roots = frozenset(stems(described.text))
    # A state that the tool's own name demands, as `pending` in `cancel_pending_order`.
    guards = len(roots) == 1 and not focus.tool.reads and roots <= frozenset(focus.tool.stems)
    guarded = _GUARD if guards and not focus.strict else 0.0
    if frozenset(raw_words(described.text)) <= focus.instruction.words:
        place = says(focus.text, described.text)
        if place >= 0 and described.text.lower() in focus.assigned:
            return 0.0
        if place >= 0 and says(focus.plain, described.text) >= 0:
            return guarded if guards else _IN_PASSING
        if place >= 0:
            end = place + len(described.text) + _AROUND
            around = frozenset(stems(focus.text[max(0, place - _AROUND) : end]))
            return _NAMED if around & frozenset(stems(described.field)) else _UNNAMED
        if says(focus.introduction, described.text) >= 0:
            return _BEFORE
    if len(roots) == 1:
        return guarded
    shared = len(roots & focus.stems) / len(roots) if roots else 0.0
    return _PARTLY * shared if shared > 0.5 else 0.0
