"""The instruction as a policy reads it: clauses, the values in them, and what is said where."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from envwright.agents.solver.policies.mentions import Mention, by_value, mentions_of
from envwright.agents.solver.policies.vocabulary import raw_words, stem, stems

_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_JOINT = re.compile(
    r"(?:[,:]\s*|\s+)"
    r"(?:(?:and|then|also|but|or|please|after that|i want to|i would like to)[,\s]+)*",
    re.IGNORECASE,
)
_SERIES = re.compile(r"\s*(?:,|;|&|and|,\s*and)\s*", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")
_VERB_FOLLOWS = frozenset(
    (
        *(
            "",
            ",",
            ":",
            "-",
            "*",
            "to",
            "you",
            "please",
            "and",
            "or",
            "then",
            "also",
            "i",
            "we",
            "me",
        ),
        *("must", "should", "can", "will", "would", "could", "kindly", "just", "now", "first"),
    )
)
_PASSIVE = ("ed",)
_ASKING = frozenset(("what", "which", "who", "whose", "when", "where", "how", "is", "are", "does"))
_TELLING = frozenset(("tell", "know", "wonder", "find", "report", "answer", "say", "look"))


@dataclass(frozen=True)
class Clause:
    """A part of the instruction that asks for one thing at most."""

    text: str
    plain: str
    """The text without the values in it."""
    start: int
    end: int

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its telling words, those of values left out."""
        return frozenset(stems(self.plain))

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The stems of the words that stand where a request has its verb."""
        tokens = [match.group().lower() for match in _TOKEN.finditer(self.plain)]
        pairs = zip(["", *tokens], tokens, strict=False)
        return frozenset(
            stem(word)
            for before, word in pairs
            if word.isalpha() and (before in _VERB_FOLLOWS or word.endswith(_PASSIVE))
        )

    @property
    def asks(self) -> bool:
        """Whether it asks to be told something."""
        words = raw_words(self.text)
        return bool(_TELLING & set(words)) or words[:1] != () and words[0] in _ASKING


@dataclass(frozen=True)
class Instruction:
    """A text in clauses, with its values."""

    text: str
    clauses: tuple[Clause, ...]
    mentions: tuple[Mention, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, in lower case."""
        return frozenset(raw_words(self.text))

    @cached_property
    def by_value(self) -> dict[str, tuple[Mention, ...]]:
        """The mentions of each value, by its key."""
        return by_value(self.mentions)

    @cached_property
    def whole(self) -> Clause:
        """All of it as one clause."""
        plain = " ".join(clause.plain for clause in self.clauses)
        return Clause(self.text, plain, 0, len(self.text))

    def clause_at(self, place: int) -> int:
        """Return the number of the clause at a place of the text."""
        return bisect_right([clause.start for clause in self.clauses], place)

    def is_series(self, mentions: Sequence[Mention]) -> bool:
        """Say whether mentions are listed one after the other: `17, 23 and 42`."""
        gaps = (self.text[one.end : other.start] for one, other in pairwise(mentions))
        return all(_SERIES.fullmatch(gap) for gap in gaps)

    def within(self, clauses: tuple[Clause, ...]) -> tuple[Mention, ...]:
        """Return the mentions inside some clauses."""
        return tuple(
            mention
            for mention in self.mentions
            if any(clause.start <= mention.start < clause.end for clause in clauses)
        )


@lru_cache(maxsize=8192)
def _phrase(text: str) -> re.Pattern[str]:
    parts = [re.escape(part) for part in text.replace("_", " ").split()]
    return re.compile(r"(?<!\w)" + r"[\s_-]+".join(parts) + r"(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=65536)
def says(text: str, phrase: str) -> int:
    """Return where a text says a phrase word for word, or -1; `one way` says `one_way`."""
    if not phrase.strip(" _"):
        return -1
    found = _phrase(phrase).search(text)
    return found.start() if found else -1


def _joints(text: str, verbs: frozenset[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield where one clause ends and the next begins: at ends, and perhaps before new verbs."""
    for match in _END.finditer(text):
        yield match.start(), match.end(), True
    for match in _JOINT.finditer(text):
        joining = len(match.group().split()) > 0
        following = raw_words(text[match.end() : match.end() + 30])[:1]
        if joining and following and stem(following[0]) in verbs:
            yield match.start(), match.end(), False


def read(text: str, verbs: frozenset[str]) -> Instruction:
    """Split a text into clauses, where `verbs` are the stems that begin a new request."""
    mentions = mentions_of(text, verbs)
    inside = [(mention.start, mention.end) for mention in mentions]
    plain = _without(text, inside)
    clauses: list[Clause] = []
    start = 0
    for end, following, hard in (*sorted(_joints(text, verbs)), (len(text), len(text), True)):
        if end < start or any(first < end and following < last for first, last in inside):
            continue
        # What comes before the first verb of a sentence says what that verb is about.
        if hard or verbs & frozenset(stems(plain[start:end])):
            if text[start:end].strip():
                clauses.append(Clause(text[start:end], plain[start:end], start, end))
            start = following
    return Instruction(text, tuple(clauses), mentions)


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Blank the spans out, so that all else keeps its place."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = " " * (end - start)
    return "".join(characters)
