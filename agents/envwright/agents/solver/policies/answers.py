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
_NAMED, _COVERED, _GIVEN, _DEEPER, _LEAST = 0.6, 0.6, 1.0, 0.05, 0.5
_SAID_ELSEWHERE = 0.2


@dataclass(frozen=True)
class _Question:
    """What a clause asks to be told: the words for the value, and those for what has it."""

    text: str
    wanted: frozenset[str]
    owners: tuple[str, ...]


def _question(clause: Clause) -> _Question:
    match = _WANTED.search(clause.text)
    if match is None:
        return _Question(clause.text, frozenset(stems(clause.text)), ())
    owners = stems(clause.plain[match.end("wanted") :])
    return _Question(clause.text, frozenset(stems(match["wanted"])), owners)


class Answerer:
    """Finds what the asking clauses of an instruction want to know."""

    def __init__(self, instruction: Instruction, knowledge: Knowledge) -> None:
        self._instruction = instruction
        self._knowledge = knowledge

    def answer(self) -> str:
        """Return what is asked for, one value per question; empty if nothing is."""
        asked = [_question(clause) for clause in self._instruction.clauses if clause.asks]
        found = (self._best(question) for question in asked)
        return "; ".join(_text(finding.value) for finding in found if finding is not None)

    def _best(self, question: _Question) -> Finding | None:
        named = [
            (finding, self._named(finding, question.wanted)) for finding in self._knowledge.findings
        ]
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

    def _named(self, finding: Finding, wanted: frozenset[str]) -> float:
        """Score a finding by how much of its name is wanted, and how much of the wish it names."""
        own = frozenset(stems(finding.name))
        if not own & wanted or not (isinstance(finding.value, list) or is_scalar(finding.value)):
            return 0.0
        score = _NAMED * len(own & wanted) / len(own)
        score += _COVERED * len((own | finding.within) & wanted) / len(wanted)
        given = is_scalar(finding.value) and says(self._instruction.text, str(finding.value)) >= 0
        return score - _DEEPER * len(finding.within - wanted) - (_GIVEN if given else 0.0)

    def _told(self, finding: Finding, question: _Question) -> dict[str, float]:
        """Return what is said of the record around a finding and of those above it."""
        line = self._knowledge.line(finding.record)
        texts = {text.text for number in line for text in self._knowledge.records[number].texts}
        call, _ = self._knowledge.results[self._knowledge.records[finding.record].result]
        # What led to the record describes it too: the entry that held its id.
        for argument in call.arguments.values():
            texts |= {text.text for text in self._knowledge.descriptions(argument)[0]}
        told = {text: _SAID_ELSEWHERE for text in texts if says(self._instruction.text, text) >= 0}
        for argument in call.arguments.values():
            if value_key(argument) in self._instruction.by_value:
                told[f"by {argument}"] = _GIVEN
        told |= {text: 1.0 for text in texts if says(question.text, text) >= 0}
        for noun in set(stems(call.name)) & set(question.owners):
            # Of "the name of the user of my order" the first is whose name it is.
            told[noun] = 1.0 / (1 + question.owners.index(noun))
        return told


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(text_of(item) for item in value)
    return text_of(value)
