"""Evidence: how much speaks for a value in a slot, given the instruction and what was learned."""

from dataclasses import dataclass, field, replace
from random import Random

from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.instruction import Instruction, says
from envwright.agents.solver.policies.knowledge import Knowledge
from envwright.agents.solver.policies.labels import (
    label_of_finding,
    label_of_mention,
    labelled_values,
)
from envwright.agents.solver.policies.mentions import Mention, by_value, mention_at
from envwright.agents.solver.policies.parameters import Slot
from envwright.agents.solver.policies.relevance import Relevance
from envwright.agents.solver.policies.shape import is_scalar, like_id, likeness, telling, value_key
from envwright.agents.solver.policies.vocabulary import stems
from envwright.events import Json

LABEL, SHAPE, ABOUT = 3.0, 2.0, 2.5
NAMED_HERE, HERE, ELSEWHERE = 4.0, 1.5, 0.7
"""Weights of the kinds of evidence (ours)."""

_OLD, _DESCRIBES, _SAME, _DONE, _OWNED = 2.0, 1.5, 2.5, 0.5, 1.5
_CHOSEN, _LOOKS = 2.0, 0.3
_JITTER = 0.2
_NAMED_ENOUGH = 0.5


@dataclass(frozen=True)
class Candidate:
    """A value for a slot, with the evidence for it."""

    value: Json
    score: float
    label: float
    """How well it is named after the slot, from 0 to a little over 1."""
    mentioned: bool
    """Whether the part of the instruction at hand names it."""
    about: float = 0.0
    """How much of what is known of it the instruction says."""


@dataclass
class _Known:
    """The findings whose fields name a slot, as far as they were looked through."""

    seen: int = 0
    values: dict[str, Json] = field(default_factory=dict)
    labels: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class _Signs:
    """What speaks for or against one value in one slot."""

    here: tuple[Mention, ...]
    """Where the part of the instruction at hand names it."""
    before: tuple[Mention, ...]
    """Where the introduction does."""
    said: float
    """How well the words around it name the slot."""
    known: float
    """How well the fields that hold it do."""
    seen: bool
    """Whether any result holds it."""

    @property
    def describes(self) -> bool:
        """Whether it only tells a thing from others."""
        return any(mention.describes for mention in self.here)


class Evidence:
    """Weighs values for slots; equal evidence is told apart by the attempt's own chance."""

    def __init__(self, instruction: Instruction, knowledge: Knowledge, chance: Random) -> None:
        self.instruction = instruction
        self.knowledge = knowledge
        self.relevance = Relevance(knowledge)
        self.recalled: set[str] = set()
        """Keys of the values that earlier changes of this attempt were about."""
        self._chance = chance
        self._jitters: dict[tuple[str, str], float] = {}
        self._known: dict[Slot, _Known] = {}
        self._ranked: dict[tuple[Slot, Focus, int], list[Candidate]] = {}

    def candidates(self, slot: Slot, focus: Focus) -> list[Candidate]:
        """Return the values that the slot could take, the best first."""
        key = (slot, focus, len(self.knowledge.results))
        if key not in self._ranked:
            view = focus.of(slot)
            if slot.choices:
                found = [self._choice(slot, value, view) for value in slot.choices]
            else:
                found = self._values(slot, view)
            self._ranked[key] = sorted(found, key=lambda candidate: -candidate.score)
        return self._ranked[key]

    def _values(self, slot: Slot, focus: Focus) -> list[Candidate]:
        here = by_value((*focus.mentions, *self._labelled(slot, focus)))
        known = self._known_for(slot)
        values = {key: mentions[0].value for key, mentions in here.items()}
        values |= {key: found[0].value for key, found in self.instruction.by_value.items()}
        values |= known.values
        found = [
            self._candidate(slot, value, focus, here.get(key, ()))
            for key, value in values.items()
            if is_scalar(value) and slot.fitted(value) is not None
        ]
        weighed = [candidate for candidate in found if candidate is not None]
        if not slot.identifies:
            return weighed
        about = self.relevance.among((candidate.value for candidate in weighed), focus)
        return [
            replace(candidate, score=candidate.score + ABOUT * told, about=told)
            for candidate in weighed
            for told in (about[value_key(candidate.value)],)
        ]

    def _known_for(self, slot: Slot) -> _Known:
        known = self._known.setdefault(slot, _Known())
        findings = self.knowledge.findings
        for finding in findings[known.seen :]:
            label = label_of_finding(slot, finding) if is_scalar(finding.value) else 0.0
            if label >= _NAMED_ENOUGH:
                key = value_key(finding.value)
                known.values.setdefault(key, finding.value)
                known.labels[key] = max(label, known.labels.get(key, 0.0))
        known.seen = len(findings)
        return known

    def _candidate(
        self, slot: Slot, value: Json, focus: Focus, here: tuple[Mention, ...]
    ) -> Candidate | None:
        """Weigh a value; None if it cannot be what the slot takes."""
        key = value_key(value)
        signs = self._signs(slot, value, focus, here)
        if not signs.known and not _may_fill(slot, value, signs, focus.tool.reads):
            return None
        label, score = max(signs.said, signs.known), self._jitter(slot.name, key)
        if not slot.identifies and signs.seen and not focus.tool.reads:
            # What a record says already is seldom the new value, unless it is so named.
            label = max(signs.said, signs.known / 2)
            score -= _OLD if signs.said < 1 else 0.0
        if not slot.identifies and signs.describes:
            score -= _DESCRIBES
        score += LABEL * label + self._named(slot, signs, focus) + _looks(slot, value, signs)
        if key in self.recalled:
            score += _SAME if slot.telling_stems & focus.repeated else -_DONE
        if slot.identifies:
            others = [one for one in focus.owners if value_key(one) != key]
            related = [self.knowledge.related(value, other) for other in others]
            score += _OWNED * max(related, default=0.0)
        if signs.before and signs.said >= 1 and slot.telling_stems & focus.introduced:
            score += _SAME
        return Candidate(slot.fitted(value), score, label, bool(here))

    def _signs(self, slot: Slot, value: Json, focus: Focus, here: tuple[Mention, ...]) -> _Signs:
        key = value_key(value)
        there = self.instruction.by_value.get(key, ())
        before = tuple(one for one in there if focus.tool.reads or one.start < focus.start)
        meant = [one for one in (*here, *before) if slot.identifies or not one.describes]
        said = max((label_of_mention(slot, mention) for mention in meant), default=0.0)
        said = max(said, float(slot.is_email and "@" in str(value)))
        known = self._known_for(slot).labels.get(key, 0.0)
        return _Signs(here, before, said, known, bool(self.knowledge.about(value)))

    def _named(self, slot: Slot, signs: _Signs, focus: Focus) -> float:
        """Weigh where the instruction names a value."""
        if signs.here:
            return self._said_here(slot, signs.here, focus)
        return ELSEWHERE if signs.before else 0.0

    def _said_here(self, slot: Slot, here: tuple[Mention, ...], focus: Focus) -> float:
        """Weigh that the instruction names a value where it asks for the call."""
        own = max(label_of_mention(slot, mention) for mention in here)
        if slot.identifies and own >= 1:
            return NAMED_HERE
        # A value that is named after another slot is hardly meant for this one.
        claimed = min(focus.claims.get(mention, 0.0) for mention in here)
        return -HERE if claimed >= 1 and own < _NAMED_ENOUGH else HERE

    def _labelled(self, slot: Slot, focus: Focus) -> tuple[Mention, ...]:
        if slot.kind not in ("string", "any") or slot.identifies:
            return ()
        return tuple(
            mention for clause in focus.clauses for mention in labelled_values(slot, clause.text)
        )

    def _choice(self, slot: Slot, value: Json, focus: Focus) -> Candidate:
        """Weigh one of the values that a schema lists, by whether and how it is said."""
        text = str(value)
        named = [one for one in focus.mentions if str(one.value).lower() == text.lower()]
        meant = tuple(one for one in named if not one.describes)
        place = -1 if named else says(focus.text, text)
        label, score = 0.0, self._jitter(slot.name, text)
        if meant:
            label = max(label_of_mention(slot, mention) for mention in meant)
            score += _CHOSEN + self._said_here(slot, meant, focus)
        elif place >= 0:
            label = label_of_mention(slot, mention_at(focus.text, place, place + len(text)))
            # Of "like new" and "new" the longer one is meant where both are said.
            score += _CHOSEN + len(text) / 100
        else:
            own = frozenset(stems(text))
            score += len(own & focus.stems) / (1 + len(own))
            score += ELSEWHERE if says(self.instruction.text, text) >= 0 else 0.0
        return Candidate(value, score + LABEL * label, label, bool(meant) or place >= 0)

    def _jitter(self, slot: str, value: str) -> float:
        if (slot, value) not in self._jitters:
            self._jitters[slot, value] = self._chance.random() * _JITTER
        return self._jitters[slot, value]


def _may_fill(slot: Slot, value: Json, signs: _Signs, reads: bool) -> bool:
    """Say whether a value that no field names after the slot may yet be what it takes."""
    text = str(value)
    if slot.origins and signs.said < 1:
        return False
    if not slot.identifies:
        # What is read with a value that nothing points to is seldom found.
        return not reads or signs.said > 0 or _looks(slot, value, signs) > 0
    return like_id(text) and not signs.describes and (not signs.seen or signs.said >= 1)


def _looks(slot: Slot, value: Json, signs: _Signs) -> float:
    """Weigh how much a value looks like the schema's examples."""
    shapes = [likeness(str(value), wanted) for wanted in slot.examples if telling(wanted)]
    # A field of the right name says more than the look of its value.
    return SHAPE * max(shapes, default=0.0) * (_LOOKS if signs.known else 1.0)
