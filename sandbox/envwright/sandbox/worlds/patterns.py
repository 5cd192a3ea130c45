"""Patterns of argument schemas, matched in one pass over the text: none can be slow.

What is understood is a row of characters, escapes and classes, each with a repetition, and the
anchors `^` and `$`: dates, codes, ids, addresses. A pattern with groups, alternatives or anything
else is not, since regular expressions of that kind can take longer than anybody waits.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_ATOM = re.compile(
    r"""(?x)
    (?P<atom>
        [^\\\[\](){}*+?|^$.]                # a character that means itself
        | \\(?: [dDwWsS] | [^a-zA-Z0-9] )   # an escape that is the same everywhere
        | \.
        | \[ \^? (?: [^\[\]\\&~|^-] | -(?!-) | \\[dDwWsS] | \\[^a-zA-Z0-9] )+ \]
    )
    (?: (?P<sign>[*+?]) | \{ (?P<least>\d{1,3}) (?P<comma>,(?P<most>\d{1,3})?)? \} )?
    """
)

_LONGEST = 1000
"""How many characters a pattern may ask for, its repetitions written out."""


class Unit(NamedTuple):
    """A character that a text has at one place."""

    fits: re.Pattern[str]
    optional: bool
    repeats: bool


class Pattern:
    """A pattern that is understood."""

    def __init__(self, units: tuple[Unit, ...], *, from_start: bool, to_end: bool) -> None:
        self._units = units
        self._from_start = from_start
        self._to_end = to_end
        self._optional = sum(1 << index for index, unit in enumerate(units) if unit.optional)
        self._repeats = sum(1 << index for index, unit in enumerate(units) if unit.repeats)
        self._accepts = 1 << len(units)

    @property
    def is_quick(self) -> bool:
        """Whether Python's `re`, too, matches it in time in proportion to the text."""
        return (self._optional | self._repeats).bit_count() + (not self._from_start) <= 1

    def is_in(self, text: str) -> bool:
        """Say whether the text has a place that the pattern matches, as `re.search` does."""
        # Bit i stands for: the units before i are matched by characters up to here.
        states = self._skipped(1)
        known: dict[str, int] = {}
        for index, character in enumerate(text):
            if self._accepted(states, text, index):
                return True
            if character not in known:
                known[character] = self._fitting(character)
            step = states & known[character]
            states = self._skipped((step << 1) | (step & self._repeats))
            if not self._from_start:
                states |= self._skipped(1)
        return self._accepted(states, text, len(text))

    def _accepted(self, states: int, text: str, index: int) -> bool:
        # Python's `$` matches before a last newline, too.
        at_end = index == len(text) or (index == len(text) - 1 and text[index] == "\n")
        return bool(states & self._accepts) and (at_end or not self._to_end)

    def _skipped(self, states: int) -> int:
        while True:
            more = states | ((states & self._optional) << 1)
            if more == states:
                return states
            states = more

    def _fitting(self, character: str) -> int:
        return sum(
            1 << index for index, unit in enumerate(self._units) if unit.fits.fullmatch(character)
        )


@lru_cache(maxsize=1024)
def understood(pattern: str) -> Pattern | None:
    """Return a pattern ready to be matched, or None if it is of a kind that may be slow.

    Raises:
        re.error: it has a class that is none.
    """
    body = pattern.removeprefix("^")
    from_start = body != pattern
    before_end = body.removesuffix("$")
    escaped = (len(before_end) - len(before_end.rstrip("\\"))) % 2
    to_end = before_end != body and not escaped
    body = before_end if to_end else body
    units: list[Unit] = []
    place = 0
    while place < len(body):
        found = _ATOM.match(body, place)
        if found is None or _is_reversed(found):
            return None
        units += _units(found)
        place = found.end()
        if len(units) > _LONGEST:
            return None
    return Pattern(tuple(units), from_start=from_start, to_end=to_end)


def _is_reversed(found: re.Match[str]) -> bool:
    least, most = _repetitions(found)
    return most is not None and most < least


def _units(found: re.Match[str]) -> Iterator[Unit]:
    fits = re.compile(found["atom"])
    least, most = _repetitions(found)
    for _ in range(least):
        yield Unit(fits, optional=False, repeats=False)
    if most is None:
        yield Unit(fits, optional=True, repeats=True)
    for _ in range((most or least) - least):
        yield Unit(fits, optional=True, repeats=False)


def _repetitions(found: re.Match[str]) -> tuple[int, int | None]:
    if found["sign"]:
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[found["sign"]]
    if found["least"] is None:
        return 1, 1
    least = int(found["least"])
    if found["comma"] is None:
        return least, least
    return least, None if found["most"] is None else int(found["most"])
