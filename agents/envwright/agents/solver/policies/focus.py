"""Focus: the part of an instruction that a call answers, seen from each of its slots."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import dropwhile, takewhile

from envwright.agents.solver.policies.instruction import Clause, Instruction
from envwright.agents.solver.policies.labels import label_of_mention
from envwright.agents.solver.policies.mentions import Mention
from envwright.agents.solver.policies.parameters import Slot, Tool
from envwright.agents.solver.policies.shape import like_id
from envwright.agents.solver.policies.vocabulary import FUNCTION_WORDS, raw_words, stem, stems
from envwright.events import Json

_SAME_THING = re.compile(r"\bsame (\w+(?: \w+)?)", re.IGNORECASE)
_IS_THE_SAME = re.compile(r"\b(\w+(?: \w+)?) (?:is|are) the same\b", re.IGNORECASE)
_MY_THING = re.compile(r"(?<!\bof )\bmy (\w+(?: \w+)?)", re.IGNORECASE)
_OF_MY_THING = re.compile(r"\bof my (\w+(?: \w+)?)", re.IGNORECASE)
_TOPIC = re.compile(
    r"\W*(?:\w+\W+){0,3}?(?:the|my|a|an|its|their)\s+(?P<topic>\w+(?:\s+\w+){0,3})", re.IGNORECASE
)


@dataclass(frozen=True, eq=False)
class Focus:
    """What a call is for: its tool, and the clauses that ask for it."""

    tool: Tool
    instruction: Instruction
    clauses: tuple[Clause, ...]
    introduction: str = ""
    """What is said before anything is asked for, as far as it matters here."""
    start: int = 0
    """Where in the instruction the first request begins."""
    strict: bool = False
    """Whether only what these clauses say counts, and nothing that goes without saying."""

    @cached_property
    def text(self) -> str:
        """What is said there."""
        return " ".join(clause.text for clause in self.clauses)

    @cached_property
    def plain(self) -> str:
        """What is said there, without the values."""
        return " ".join(clause.plain for clause in self.clauses)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of what is said there."""
        return frozenset(stems(self.text))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """The values in its clauses."""
        return self.instruction.within(self.clauses)

    @cached_property
    def claims(self) -> dict[Mention, float]:
        """How well each mention is named after the slot that it is named after best."""
        return {
            mention: max(
                (
                    label_of_mention(slot, mention)
                    for slot in self.tool.slots
                    if not slot.identifies or like_id(str(mention.value))
                ),
                default=0.0,
            )
            for mention in self.mentions
            if not isinstance(mention.value, list | dict)
        }

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The texts that are values for slots by name, and so describe nothing."""
        return frozenset(
            str(mention.value).lower()
            for mention, claim in self.claims.items()
            if claim >= 1 and not mention.describes
        )

    @cached_property
    def introduced(self) -> frozenset[str]:
        """The stems of the things that it calls mine: those that were introduced before."""
        return _nouns(_MY_THING, self.text)

    @cached_property
    def owners(self) -> tuple[Json, ...]:
        """The introduced values whose things it speaks of: in `the book of my loan`, the loan's."""
        nouns = _nouns(_OF_MY_THING, self.text)
        return tuple(
            mention.value
            for mention in self.instruction.mentions
            if mention.start < self.start and mention.before & nouns
        )

    @cached_property
    def repeated(self) -> frozenset[str]:
        """The stems of the things that it calls the same as before."""
        return _nouns(_SAME_THING, self.text) | _nouns(_IS_THE_SAME, self.text)

    @cached_property
    def _views(self) -> dict[str, "Focus"]:
        owners = [self._owner(clause) for clause in self.clauses]
        return {slot.name: self._view(slot, owners) for slot in self.tool.slots}

    def _view(self, slot: Slot, owners: list[str]) -> "Focus":
        pairs = list(zip(self.clauses, owners, strict=True))
        own = tuple(clause for clause, owner in pairs if owner == slot.name)
        open_to_it = tuple(clause for clause, owner in pairs if owner in ("", slot.name))
        described = any(mention.describes for mention in self.instruction.within(own))
        if described and not self._gives(slot, open_to_it):
            # Where the thing is described, what else is said is no description of it.
            return Focus(self.tool, self.instruction, own, "", self.start, strict=True)
        return Focus(self.tool, self.instruction, open_to_it, self.introduction, self.start)

    def gives(self, slot: Slot) -> bool:
        """Say whether what is said there names the id for a slot itself."""
        return self._gives(slot, self.clauses)

    def _gives(self, slot: Slot, clauses: tuple[Clause, ...]) -> bool:
        """Say whether the clauses name the id itself."""
        return any(
            not mention.describes
            and like_id(str(mention.value))
            and label_of_mention(slot, mention) >= 1
            for mention in self.instruction.within(clauses)
        )

    def of(self, slot: Slot) -> "Focus":
        """Return the focus without the clauses that speak of another slot alone."""
        return self._views.get(slot.name, self)

    def _owner(self, clause: Clause) -> str:
        """Return the slot that a clause is about: its first noun, as in `the reason should be`."""
        topic = _topic(clause.plain)
        named = [slot for slot in self.tool.slots if slot.telling_stems <= topic]
        if not named or clause is self.clauses[0]:
            return ""
        # Of `item_ids` and `new_item_ids`, "the new item" is the one with more of its words said.
        return min(named, key=lambda slot: (-len(slot.stems & topic), len(slot.stems))).name


def _topic(text: str) -> frozenset[str]:
    """Return the stems of the first noun: of `I mean the order whose city is`, the order."""
    match = _TOPIC.match(text)
    following = dropwhile(_is_function, raw_words(match["topic"]) if match else ())
    return frozenset(
        stem(word) for word in takewhile(lambda word: not _is_function(word), following)
    )


def _is_function(word: str) -> bool:
    return word in FUNCTION_WORDS


def _nouns(phrase: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(noun for match in phrase.findall(text) for noun in stems(match))
