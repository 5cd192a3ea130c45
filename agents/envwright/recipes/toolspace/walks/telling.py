"""Telling: what a person says of a row behind a link, so that it can be no other row.

Whatever is said was so at the start and is so now, and no other row behind the link had it then or
has it now, rows that the walk has added included: a solver may look at any time.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random

from envwright.events.canonical import Json
from envwright.recipes.toolspace.values import Leaf, at, identity, same
from envwright.recipes.toolspace.walks.knowledge import Hop, Knowledge
from envwright.recipes.toolspace.walks.story import Place
from envwright.recipes.toolspace.walks.traits import Trait, tell_apart

Look = Callable[[str, str], dict[str, Json] | None]
"""Returns the row of a table under a key as it is now."""


class Teller:
    """Finds what tells rows apart, and says whether it still does."""

    def __init__(self, knowledge: Knowledge, look: Look, rng: Random) -> None:
        self._knowledge = knowledge
        self._look = look
        self._rng = rng

    def tell(
        self, number: int, places: Sequence[Place], row: Json, hop: Hop, hops: list[Hop]
    ) -> Place | None:
        """Return the place of a hop from place `number`, told from the other hops; None if none is.

        `row` is the row of that place as it is now.
        """
        base = Place(table=hop.link.target, key=hop.key, parent=number, path=hop.path)
        if len(hops) == 1:
            return base
        others = [other for other in hops if other.key != hop.key]
        hidden = {place.key for place in places if place.parent is not None}
        hidden |= {one.key for one in hops}
        inside = self._inside(places[number], row, hop, others, hidden)
        if inside:
            element = hop.path[:-1]
            return base.model_copy(update={"only": False, "traits": inside, "inside": element})
        table = hop.link.target
        mine, rest = self._lasting(table, hop.key), self._each_ever(table, others)
        traits = tell_apart(mine, rest, hidden, self._rng)
        if traits is None:
            return None
        return base.model_copy(update={"only": False, "traits": traits})

    def holds(self, place: Place, row: Json, hop: Hop, hops: list[Hop]) -> bool:
        """Say whether what tells a place is true of it and of no other; `row` is its parent's."""
        others = [other for other in hops if other.key != hop.key]
        if place.only or hop.path != place.path:
            return place.only and not others and hop.path == place.path
        if place.inside is None:
            mine = self._lasting(place.table, place.key)
            rest = self._each_ever(place.table, others)
        else:
            mine = self._element(hop, row, place.inside)
            rest = [self._element(hop, row, other.path[:-1]) for other in others]
        return _have(mine, place.traits) and not any(_have(one, place.traits) for one in rest)

    def _inside(
        self, parent: Place, row: Json, hop: Hop, others: list[Hop], hidden: set[str]
    ) -> tuple[Trait, ...] | None:
        """Return what tells the element of the parent's row that leads to the hop."""
        before = self._knowledge.row(parent.table, parent.key) or {}
        mine = [
            leaf
            for leaf in self._element(hop, row, hop.path[:-1])
            if same(at(before, leaf.path), leaf.value)
        ]
        rest = [self._element(hop, row, other.path[:-1]) for other in others]
        return tell_apart(mine, rest, hidden, self._rng) if mine else None

    def _element(self, hop: Hop, row: Json, path: tuple[str | int, ...]) -> list[Leaf]:
        return self._knowledge.leaves_at(hop.link.table, row, path) if path else []

    def _each_ever(self, table: str, hops: list[Hop]) -> list[list[Leaf]]:
        return [self._ever(table, hop.key) for hop in hops]

    def _ever(self, table: str, key: str) -> list[Leaf]:
        """Return the leaves that a row had at the start or has now."""
        rows = (self._knowledge.row(table, key), self._look(table, key))
        return [leaf for row in rows if row for leaf in self._knowledge.leaves(table, row)]

    def _lasting(self, table: str, key: str) -> list[Leaf]:
        """Return the leaves that a row had at the start and still has."""
        now, before = self._look(table, key), self._knowledge.row(table, key)
        return [
            leaf
            for leaf in self._knowledge.leaves(table, before or {})
            if same(at(now, leaf.path), leaf.value)
        ]


def _have(leaves: list[Leaf], traits: Iterable[Trait]) -> bool:
    held = {(leaf.pattern, identity(leaf.value)) for leaf in leaves}
    return all((trait.pattern, identity(trait.value)) in held for trait in traits)
