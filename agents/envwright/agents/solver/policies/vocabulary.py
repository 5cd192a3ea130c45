"""Words: how texts and names become comparable stems, and how much each stem tells."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from math import log

_WORD = re.compile(r"[A-Z]+s?(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_ENDINGS = (
    *("ications", "ication", "ations", "ation", "ings", "ing", "ions", "ion"),
    *("ers", "er", "ed", "es", "s", "e", "y"),
)
_SHORTEST = 3

FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "her",
        "him",
        "his",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "please",
        "should",
        "so",
        "such",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "they",
        "this",
        "those",
        "to",
        "us",
        "was",
        "we",
        "were",
        "will",
        "with",
        "would",
        "you",
        "your",
        "all",
        "about",
        "also",
        "only",
        "same",
        "some",
        "who",
        "whom",
        "whose",
        "which",
        "what",
        "when",
        "where",
        "how",
        "why",
        "than",
        "want",
        "need",
        "like",
        "s",
        "t",
    ]
)
"""Words that hold a sentence together and name nothing."""

_LOOKING = "find get list look lookup search show view read fetch tell check retrieve"
_CHANGING = (
    "change modify update set edit alter adjust switch move replace correct amend make",
    "create add open place book register file submit make start",
    "cancel delete remove drop revoke",
    "send give issue grant",
    "close finish complete resolve end",
)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the word without its ending, so that `cancelled` and `cancellation` are `cancel`."""
    lowered = word.lower()
    if lowered == "ids" or lowered.endswith(("ss", "us", "is")):
        return lowered.removesuffix("s") if lowered == "ids" else lowered
    for ending in _ENDINGS:
        root = lowered.removesuffix(ending)
        if root != lowered and len(root) >= _SHORTEST:
            return _bare(root)
    return lowered


def _bare(root: str) -> str:
    if len(root) > _SHORTEST and root[-1] == root[-2] and root[-1] not in "aeiosu":
        return root[:-1]
    return root[:-1] if len(root) > _SHORTEST and root[-1] in "eiy" else root


_SYNONYMS: dict[str, frozenset[str]] = {}
for _group in (_LOOKING, *_CHANGING):
    _stems = frozenset(stem(word) for word in _group.split())
    for _stem in _stems:
        _SYNONYMS[_stem] = _SYNONYMS.get(_stem, frozenset()) | _stems

CHANGING = frozenset(stem(word) for group in _CHANGING for word in group.split())
"""Stems of the common actions that change something."""

GENERIC = frozenset(
    stem(word) for word in ["id", "ids", "number", "code", "key", "name", "value", "new"]
)


def synonyms(word: str) -> frozenset[str]:
    """Return the stems of actions that people say for the action `word`, a stem, among them it."""
    return _SYNONYMS.get(word, frozenset((word,)))


@lru_cache(maxsize=8192)
def raw_words(text: str) -> tuple[str, ...]:
    """Split a text or a name (`orderId`, `order_id`) into lower-case words."""
    return tuple(match.lower() for match in _WORD.findall(text))


@lru_cache(maxsize=8192)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the telling words of a text or name, in order."""
    return tuple(stem(word) for word in raw_words(text) if word not in FUNCTION_WORDS)


class Weights:
    """How much a stem tells apart the documents it was counted in."""

    def __init__(self, documents: Iterable[Iterable[str]]) -> None:
        sets = [frozenset(document) for document in documents]
        self._total = len(sets)
        self._counts = Counter(word for document in sets for word in document)

    def of(self, word: str) -> float:
        """Return the weight of a stem: high where few documents hold it."""
        return log((1 + self._total) / (1 + self._counts[word])) + 0.2

    def sum(self, chosen: Iterable[str]) -> float:
        """Return the weight of several stems together, in a fixed order of addition."""
        return sum(self.of(word) for word in sorted(chosen))
