"""Witnesses: refusals whose text names the one item of a list that is to blame for them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.induction.drafts import Draft
from envwright.recipes.toolspace.induction.predicates import MOST_TIES, Test, fitting
from envwright.recipes.toolspace.induction.roots import Column
from envwright.recipes.toolspace.induction.scopes import Scope
from envwright.recipes.toolspace.induction.solving import solve
from envwright.recipes.toolspace.values import is_key_value, key_text, leaves

SHORTEST = 3
"""Fewest characters by which a text names an item (ours): a shorter word may stand in any text."""


class Witness(NamedTuple):
    """A list, what is true of an item that is to blame, and the text that names it."""

    over: Draft
    test: Test
    """Its truths are of calls: whether one of the call's items is to blame."""
    text: Draft


def fit_witness(scope: Scope, frames: Sequence[int]) -> Witness | None:
    """Return what explains the refusals on these frames by an item that every text names."""
    texts = {frame: str(scope.samples[frame].value) for frame in frames}
    for column in sorted(scope.lists(), key=lambda column: (column.cost, repr(column.expr))):
        named = {frame: _named_in(texts[frame], column.values[frame]) for frame in frames}
        blamed = {frame: place for frame, place in named.items() if place is not None}
        found = _explained(scope, column, blamed, texts) if len(blamed) == len(frames) else None
        if found is not None:
            return found
    return None


def _named_in(text: str, items: Json) -> int | None:
    for place, item in enumerate(items if isinstance(items, list) else []):
        if any(name in text for name in _names(item)):
            return place
    return None


def _names(item: Json) -> Iterator[str]:
    texts = (key_text(leaf.value) for leaf in leaves(item) if is_key_value(leaf.value))
    return (text for text in texts if len(text) >= SHORTEST)


def _explained(
    scope: Scope, column: Column, blamed: dict[int, int], texts: dict[int, str]
) -> Witness | None:
    inner = scope.within([column.values])
    places = _places(inner.owners)
    wanted = tuple(
        _wanted(scope, owner, place, blamed)
        for owner, place in zip(inner.owners, places, strict=True)
    )
    tests = fitting(inner, wanted)
    ties = [test for test in tests if test.cost == tests[0].cost]
    if not 0 < len(ties) <= MOST_TIES:
        return None
    guilty = [number for number, truth in enumerate(wanted) if truth]
    said = tuple(texts[inner.owners[number]] for number in guilty)
    words = solve(inner.narrowed(guilty), said, "")
    if words is None:
        return None
    hits = {o for o, t in zip(inner.owners, ties[0].truths, strict=True) if t}
    truths = tuple(frame in hits for frame in range(len(scope.samples)))
    return Witness(column.expr, ties[0]._replace(truths=truths), words.expr)


def _places(owners: Sequence[int]) -> list[int]:
    """Return where each item stands in the list of its own call."""
    places: list[int] = []
    for number, owner in enumerate(owners):
        follows = number > 0 and owners[number - 1] == owner
        places.append(places[-1] + 1 if follows else 0)
    return places


def _wanted(scope: Scope, owner: int, place: int, blamed: dict[int, int]) -> bool | None:
    if owner not in blamed:
        return None if scope.samples[owner].refused else False
    # What comes after the one to blame was not looked at any more.
    return place == blamed[owner] if place <= blamed[owner] else None
