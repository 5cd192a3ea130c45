"""Traits: how a person tells one thing from others like it, without its id."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from random import Random

from envwright.events.canonical import Json
from envwright.events.values import Value
from envwright.recipes.toolspace.values import (
    ANY,
    Leaf,
    Path,
    Pattern,
    entity_noun,
    identity,
    key_text,
    words,
)

_MOMENT = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d(:\d\d)?")
_PLAIN = re.compile(r"^[\w .-]+$")
"""What the name of a field is made of that can be said as it stands."""

_LONGEST = 60
_SHORTEST = 3
_MOST_TRAITS = 2
_CONSIDERED = 12


class Trait(Value):
    """Something that is true of a thing: a value, and where in its row it stands."""

    pattern: Pattern
    path: Path
    value: Json


def tellable(leaf: Leaf, hidden: Iterable[str]) -> bool:
    """Say whether a person could name a leaf: words or an amount, but no id."""
    value = leaf.value
    name = last_name(leaf.pattern)
    if value is None or isinstance(value, bool) or names_an_id(name) or not _PLAIN.search(name):
        return False
    text = key_text(value) if isinstance(value, int | str) else repr(value)
    if not _SHORTEST <= len(text) <= _LONGEST or text in hidden or '"' in text or "\n" in text:
        return False
    return not isinstance(value, str) or any(c.isalpha() for c in value) or is_moment(value)


def is_moment(text: str) -> bool:
    """Say whether a text is a date or a time of day."""
    return _MOMENT.fullmatch(text) is not None


def last_name(pattern: Pattern) -> str:
    """Return the last name in a pattern."""
    return next((step for step in reversed(pattern) if step != ANY), "")


def tell_apart(
    chosen: Sequence[Leaf], others: Sequence[Sequence[Leaf]], hidden: Iterable[str], rng: Random
) -> tuple[Trait, ...] | None:
    """Return traits that the chosen thing has and no other has together, or None.

    Without others one trait is told all the same: they may exist where nobody looked.
    """
    ids = set(hidden)
    held = [{(leaf.pattern, identity(leaf.value)) for leaf in other} for other in others]
    leaves = {(leaf.pattern, identity(leaf.value)): leaf for leaf in chosen if tellable(leaf, ids)}
    ranked = sorted(leaves, key=lambda mark: _rank(leaves[mark], mark, held))[:_CONSIDERED]
    for count in range(1, _MOST_TRAITS + 1):
        telling = [
            marks
            for marks in combinations(ranked, count)
            if not any(all(mark in other for mark in marks) for other in held)
        ]
        if telling:
            # The first few are the ones that people would rather use.
            marks = telling[rng.randrange(min(3, len(telling)))]
            return tuple(
                Trait(pattern=leaf.pattern, path=leaf.path, value=leaf.value)
                for leaf in (leaves[mark] for mark in marks)
            )
    return None


def names_an_id(name: str) -> bool:
    """Say whether a field or an argument of this name holds an id."""
    parts = words(name)
    return bool(entity_noun(name)) or parts[-1:] in (["id"], ["ids"], ["uuid"])


def _rank(
    leaf: Leaf, mark: tuple[Pattern, object], held: Sequence[set[tuple[Pattern, object]]]
) -> tuple[int, int, int, str]:
    shared = sum(mark in other for other in held)
    wordy = isinstance(leaf.value, str) and not any(c.isdigit() for c in leaf.value)
    return shared, not wordy, len(leaf.pattern), repr((leaf.pattern, leaf.value))
