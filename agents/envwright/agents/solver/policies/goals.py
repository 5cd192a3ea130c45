"""Goals: which changes an instruction asks for, one tool and one part of the text each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from envwright.agents.solver.policies.filling import Banned
from envwright.agents.solver.policies.focus import Focus
from envwright.agents.solver.policies.instruction import Clause, Instruction, says
from envwright.agents.solver.policies.labels import label_of_mention
from envwright.agents.solver.policies.parameters import Tool
from envwright.agents.solver.policies.shape import value_key
from envwright.agents.solver.policies.vocabulary import Weights, synonyms

_ENOUGH = 0.5
_LEAST = 0.25
_VERB, _REST, _HINTED, _CHOSEN, _LABELLED = 0.5, 0.5, 0.3, 0.2, 0.1
_SYNONYM, _ONLY_DESCRIBED = 0.9, 0.8
"""Shares of a verb that is said with another word, or that only the description has."""


def _said(verb: tuple[str, ...], said: frozenset[str]) -> float:
    """Say how far a tool's verb is said: in its own word, in another, or not at all."""
    if said & frozenset(verb):
        return 1.0
    return _SYNONYM if any(said & synonyms(stem) for stem in verb) else 0.0


def _each(focus: Focus) -> Iterator["Goal"]:
    """Yield a goal for each thing of a series: `cancel orders 17 and 23` are two."""
    for slot in focus.tool.required:
        if slot.identifies and not slot.holds_parts:
            named = [one for one in focus.of(slot).mentions if label_of_mention(slot, one) >= 1]
            if len(named) > 1 and focus.instruction.is_series(named):
                keys = [value_key(mention.value) for mention in named]
                for key in keys:
                    yield Goal(
                        focus, frozenset((slot.name, other) for other in keys if other != key)
                    )
                return
    yield Goal(focus)


@dataclass(frozen=True)
class Goal:
    """A change that the instruction asks for."""

    focus: Focus
    banned: Banned = frozenset()
    """What its slots must not take, since another goal of the same words does."""


def verbs_of(tools: Sequence[Tool]) -> frozenset[str]:
    """Return the stems that begin a request for one of the tools, with what people say for them."""
    return frozenset(
        said for tool in tools if not tool.reads and tool.stems for said in synonyms(tool.stems[0])
    )


class GoalFinder:
    """Matches the clauses of an instruction with the tools that change something."""

    def __init__(self, tools: Sequence[Tool], instruction: Instruction) -> None:
        self._acting = [tool for tool in tools if not tool.reads]
        self._instruction = instruction
        self._weights = Weights([*tool.stems, *tool.hints] for tool in tools)

    def find(self) -> tuple[Goal, ...]:
        """Return the goals in the order of the text; other clauses belong to the goal before."""
        found: list[tuple[Tool, list[Clause]]] = []
        for clause in self._instruction.clauses:
            tool = self._best(clause, clause.verbs, _ENOUGH)
            if tool is not None:
                found.append((tool, [clause]))
            elif found and not clause.asks:
                found[-1][1].append(clause)
        if not found and not any(clause.asks for clause in self._instruction.clauses):
            found = self._weak()
        start = found[0][1][0].start if found else 0
        introduction = self._instruction.text[:start]
        focuses = (
            Focus(tool, self._instruction, tuple(clauses), introduction, start)
            for tool, clauses in found
        )
        return tuple(goal for focus in focuses for goal in _each(focus))

    def _weak(self) -> list[tuple[Tool, list[Clause]]]:
        whole = self._instruction.whole
        tool = self._best(whole, whole.stems, _LEAST)
        return [(tool, list(self._instruction.clauses))] if tool is not None else []

    def _best(self, clause: Clause, verbs: frozenset[str], least: float) -> Tool | None:
        ranked = [(self._fit(tool, clause, verbs), tool) for tool in self._acting]
        fit, tool = max(ranked, key=lambda pair: pair[0], default=(0.0, None))
        return tool if fit >= least else None

    def _fit(self, tool: Tool, clause: Clause, verbs: frozenset[str]) -> float:
        """Score a tool: its verb, then the share of its other words, then the values it takes."""
        said, rest = clause.stems, frozenset(tool.stems[1:])
        score = _VERB * _said(tool.stems[:1], verbs) or (
            _VERB * _ONLY_DESCRIBED * _said(tool.action, verbs)
        )
        if not score:
            return 0.0
        for share, words in ((_REST, rest), (_HINTED, tool.hints)):
            if words:
                score += share * self._weights.sum(words & said) / self._weights.sum(words)
        return score + self._values(tool, clause)

    def _values(self, tool: Tool, clause: Clause) -> float:
        mentions = self._instruction.within((clause,))
        score = 0.0
        for slot in tool.slots:
            if slot.choices:
                chosen = any(says(clause.text, str(choice)) >= 0 for choice in slot.choices)
                score += _CHOSEN if chosen else 0.0
            else:
                labels = [label_of_mention(slot, mention) for mention in mentions]
                score += _LABELLED * min(1.0, max(labels, default=0.0))
        return score
