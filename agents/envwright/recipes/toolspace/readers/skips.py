"""Skips: the parts of a source that could not be used, counted, the first ones with their place."""

from envwright.events.canonical import Json
from envwright.events.values import Skip
from envwright.recipes.recipe import SKIPS_KEPT

_LONGEST = 200


class Skips:
    """Counts what is skipped in one source."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[Skip] = []

    def add(self, place: str, reason: str) -> None:
        """Count one skip."""
        self.count += 1
        if len(self._kept) < SKIPS_KEPT:
            self._kept.append(Skip(place=printable(place), reason=shortened(reason)))

    def kept(self) -> tuple[Skip, ...]:
        """Return the first skips."""
        return tuple(self._kept)


def shortened(text: str) -> str:
    """Return what is said to people, short: it may quote a log of any length."""
    whole = printable(text)
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}…"


def shown(value: Json) -> str:
    """Return a parsed value as people are told of it; of a list or object only what it is."""
    kind = type(value)
    return f"{value!r:.60}" if kind in (str, int, float, bool, type(None)) else kind.__name__


def printable(text: str) -> str:
    """Return text whose half characters, if there are any, are question marks."""
    return text if text.isascii() else text.encode(errors="replace").decode()
