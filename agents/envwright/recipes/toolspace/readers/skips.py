"""Skips: the parts of a source that could not be used, counted, the first ones with their place."""

from envwright.events.values import Skip
from envwright.recipes.recipe import SKIPS_KEPT


class Skips:
    """Counts what is skipped in one source."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[Skip] = []

    def add(self, place: str, reason: str) -> None:
        """Count one skip."""
        self.count += 1
        if len(self._kept) < SKIPS_KEPT:
            self._kept.append(Skip(place=place, reason=reason))

    def kept(self) -> tuple[Skip, ...]:
        """Return the first skips."""
        return tuple(self._kept)
