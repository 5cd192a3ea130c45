"""Variety: where rows and recorded answers differ, and the words that rows are told by."""

from collections.abc import Hashable, Iterable
from functools import lru_cache

from envwright.recipes.toolspace.profile import Profile
from envwright.recipes.toolspace.values import ANY, Leaf, Pattern, identity, leaves, words

FEWEST = 3
"""Fewest distinct values of what is asked for: others could be guessed (ours)."""


class Variety:
    """What varies in one profile, each looked up once."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.varying = lru_cache(maxsize=None)(self._varying)
        self.answers = lru_cache(maxsize=None)(self._answers)
        self.conditions = lru_cache(maxsize=None)(self._conditions)

    def _varying(self, table: str) -> frozenset[Pattern]:
        """Return where rows of a table differ so much that no value can be guessed."""
        found = self._profile.tables[table]
        maps = frozenset(found.maps)
        return _varied(leaf for row in found.rows.values() for leaf in leaves(row, maps))

    def _answers(self, tool: str) -> frozenset[Pattern]:
        """Return where recorded answers of a tool differ so much that none can be guessed.

        Only fields of the answer, or of the entries of one list, have a name to be asked by.
        """
        recordings = self._profile.tools[tool].recordings
        varied = _varied(leaf for one in recordings for leaf in leaves(one.result))
        return frozenset(pattern for pattern in varied if _has_a_name(pattern))

    def _conditions(self, table: str) -> frozenset[str]:
        """Return the words that rows of a table hold in fields of their own, in lower case."""
        return frozenset(
            word
            for row in self._profile.tables[table].rows.values()
            for value in row.values()
            if isinstance(value, str)
            for word in words(value)
        )


def _varied(every: Iterable[Leaf]) -> frozenset[Pattern]:
    values: dict[Pattern, set[Hashable]] = {}
    for leaf in every:
        values.setdefault(leaf.pattern, set()).add(identity(leaf.value))
    return frozenset(pattern for pattern, found in values.items() if len(found) >= FEWEST)


def _has_a_name(pattern: Pattern) -> bool:
    of_an_entry = pattern[-2:-1] == (ANY,) and pattern.count(ANY) == 1
    return bool(pattern) and pattern[-1] != ANY and (ANY not in pattern or of_an_entry)
