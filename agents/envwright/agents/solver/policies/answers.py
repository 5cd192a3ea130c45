"""Answers: the values that the instruction asks to be told, found among what was learned."""

import re
from collections import Counter
from dataclasses import dataclass
from math import log

from envwright.agents.solver.policies.instruction import Clause, Instruction, says
from envwright.agents.solver.policies.knowledge import Finding, Knowledge
from envwright.agents.solver.policies.shape import is_scalar, text_of, value_key
from envwright.agents.solver.policies.vocabulary import stems
from envwright.events import Json

_WANTED = re.compile(
    r"\b(?:tell|know|say|report|find out|is|are|what|which)\b(?: me)?(?: what| which)?(?: is| are)?"
    r"(?P<wanted>.+?)(?:\b(?:of|for|in|on|from|whose|that|which)\b|[?.]|$)",
    re.IGNORECASE | re.DOTALL,
)
_MY = re.compile(r"\bmy (?!other\b)(\w+(?: \w+)?)", re.IGNORECASE)
_NAMED, _COVERED, _OWNED, _GIVEN, _LEAST = 0.6, 0.6, 0.2, 1.0, 0.5
_DEEPER, _PART = 0.05, 0.02
_SAID_ELSEWHERE, _SAID_BESIDE = 0.2, 0.5


@dataclass(frozen=True)
class Question:
    """What a clause asks to be told: the words for the value, and those for what has it."""

    text: str
    wanted: frozenset[str]
    owners: tuple[str, ...]
    introduced: frozenset[str]
    """The stems of the things that it calls mine."""
    mine: bool
    """Whether one of these is what has the value."""


def question_of(clause: Clause) -> Question:
    """Return what a clause asks."""
    match = _WANTED.search(clause.text)
    if match is None:
        return Question(clause.text, frozenset(stems(clause.text)), (), frozenset(), mine=False)
    rest = clause.plain[match.end("wanted") :]
    introduced = frozenset(noun for found in _MY.findall(rest) for noun in stems(found))
    mine = rest.lower().startswith("of my ")
    return Question(clause.text, frozenset(stems(match["wanted"])), stems(rest), introduced, mine)


class Answerer:
    """Finds what the asking clauses of an instruction want to know."""

    def __init__(self, instruction: Instruction, knowledge: Knowledge) -> None:
        self._instruction = instruction
        self._knowledge = knowledge

    def answer(self) -> str:
        """Return what is asked for, one value per question; empty if nothing is."""
        asked = [question_of(clause) for clause in self._instruction.clauses if clause.asks]
        found = (self._best(question) for question in asked)
        return "; ".join(_text(finding.value) for finding in found if finding is not None)

    def _best(self, question: Question) -> Finding | None:
        named = [(finding, self._named(finding, question)) for finding in self._knowledge.findings]
        most = max((score for _, score in named), default=0.0)
        if most < _LEAST:
            return None
        rivals = [finding for finding, score in named if score >= most - 1e-9]
        told = [self._told(finding, question) for finding in rivals]
        counts = Counter(text for texts in told for text in texts)
        weights = [
            sum(texts[text] * log((1 + len(rivals)) / counts[text]) for text in sorted(texts))
            for texts in told
        ]
        # Of equals the latest: a value may have changed since it was first read.
        return max(zip(weights, range(len(rivals)), rivals, strict=True))[2]

    def _named(self, finding: Finding, question: Question) -> float:
        """Score a finding by how much of its name is wanted, and how much of the wish it names."""
        own, wanted = frozenset(stems(finding.name)), question.wanted
        if not own & wanted or not (isinstance(finding.value, list) or is_scalar(finding.value)):
            return 0.0
        score = _NAMED * len(own & wanted) / len(own)
        score += _COVERED * len((own | finding.within) & wanted) / len(wanted)
        # "The id of the item" is an item_id.
        score += _OWNED if own - wanted and own - wanted <= set(question.owners) else 0.0
        given = is_scalar(finding.value) and says(self._instruction.text, str(finding.value)) >= 0
        score -= _DEEPER * len(finding.within - wanted) + (_PART if finding.listed else 0.0)
        return score - (_GIVEN if given else 0.0)

    def _told(self, finding: Finding, question: Question) -> dict[str, float]:
        """Return what is said of the record around a finding and of those above it."""
        line = self._knowledge.line(finding.record)
        texts = {text.text for number in line for text in self._knowledge.records[number].texts}
        result = self._knowledge.records[finding.record].result
        call, _ = self._knowledge.results[result]
        # What led to the record describes it too: the entry that held its id.
        for argument in call.arguments.values():
            texts |= {text.text for text in self._knowledge.entries(argument, result)}
        told = {text: _SAID_ELSEWHERE for text in texts if says(self._instruction.text, text) >= 0}
        told |= self._introduced(question, list(call.arguments.values()))
        beside = {text.text for text in self._knowledge.texts_of(result)}
        told |= {f"beside: {x}": _SAID_BESIDE for x in beside if says(question.text, x) >= 0}
        told |= {text: 1.0 for text in texts if says(question.text, text) >= 0}
        for noun in set(stems(call.name)) & set(question.owners):
            # Of "the name of the user of my order" the first is whose name it is.
            told[noun] = 1.0 / (1 + question.owners.index(noun))
        return told

    def _introduced(self, question: Question, arguments: list[Json]) -> dict[str, float]:
        """Say how close a record is to the things that the instruction introduced as `my …`."""
        told: dict[str, float] = {}
        for mention in self._instruction.mentions:
            # What only tells one thing of mine from another introduces none.
            introduces = is_scalar(mention.value) and not mention.describes
            if introduces and mention.before & question.introduced:
                known = [self._knowledge.related(one, mention.value) for one in arguments]
                given = question.mine and any(
                    value_key(one) == value_key(mention.value) for one in arguments
                )
                told[f"mine: {mention.value}"] = 1.0 if given else max(known, default=0.0) / 2
        return told


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(text_of(item) for item in value)
    return text_of(value)
