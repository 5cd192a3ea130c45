"""Naming: how a letter calls the rows that it speaks of: each can be found, none by its id."""

import re
from functools import cached_property

from envwright.recipes.toolspace.instructions.phrases import entry_noun, noun_of, trait_phrase
from envwright.recipes.toolspace.values import ANY, words
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import Place, Story
from envwright.recipes.toolspace.walks.traits import Trait

_CONDITION = re.compile(r"[a-z]+(?: [a-z]+)?")
_CONDITIONS = frozenset({"status", "state"})


class Naming:
    """Names the places of one story and remembers which it has told of."""

    def __init__(self, knowledge: Knowledge, story: Story) -> None:
        self._knowledge = knowledge
        self._places = story.places
        self._given = {str(value) for value in story.given.values()}
        self._last: dict[str, int] = {}
        """The place of each noun that was told of last: what `the same` stands for."""

    def noun(self, number: int) -> str:
        """Return what a place's row is called."""
        return noun_of(self._knowledge, self._places[number].table)

    def is_same(self, number: int) -> bool:
        """Say whether the last thing of its kind that was told of is this one."""
        return self._last.get(self.noun(number)) == number

    def is_me(self, number: int) -> bool:
        """Say whether a place is the record of the one who writes."""
        return number in self._mine

    def tell(self, number: int, adjectives: str = "") -> str:
        """Return how a place is called where the letter speaks of it, and remember that it did."""
        noun = self.noun(number)
        if self.is_same(number) and not self._is_root(number):
            return f"the same {noun}"
        # "The product of my order" speaks of that order too: "the same order" would now be it.
        for spoken in (*self._ancestors(number), number):
            self._last[self.noun(spoken)] = spoken
        return self.full(number, adjectives)

    def _ancestors(self, number: int) -> list[int]:
        """Return the places that are spoken of with a place: whose it is, unless that is me."""
        parent = self._places[number].parent
        if parent is None or self.is_me(number) or self.is_me(parent):
            return []
        return [*self._ancestors(parent), parent]

    def full(self, number: int, adjectives: str = "") -> str:
        """Return what tells a place from all others, whatever was told before."""
        place = self._places[number]
        noun = self.noun(number)
        if self.is_me(number):
            return f"my {noun} record"
        if place.parent is None or self._is_root(number):
            return f"my {noun}{self._key_said(number)}"
        if any(_is_said(trait, adjectives) for trait in place.traits):
            adjectives = adjectives if self.is_me(place.parent) else ""
        traits = [trait for trait in place.traits if not _is_said(trait, adjectives)]
        conditions = [t for t in traits if place.inside is None and _is_condition(t)]
        if not adjectives and conditions:
            adjectives = f"{conditions[0].value} "
            traits.remove(conditions[0])
        return self._related(place, f"{adjectives}{noun}", traits)

    def _related(self, place: Place, noun: str, traits: list[Trait]) -> str:
        """Return a noun with its traits, and whose it is."""
        assert place.parent is not None
        if self.is_me(place.parent):
            only = "only " if place.only and _in_a_list(place) else ""
            other = "other " if place.table == self._places[0].table else ""
            return self._told(place, f"my {other or only}{noun}", traits)
        parent = self.full(place.parent)
        if place.only:
            only = "only " if _in_a_list(place) else ""
            return f"the {only}{noun} of {parent}"
        named = self._told(place, f"the {noun}", traits)
        if place.inside is not None:
            return f"{named} in {parent}"
        return f"{named} that belongs to {parent}"

    def _told(self, place: Place, noun: str, traits: list[Trait]) -> str:
        if place.inside is None:
            return f"{noun} {_clauses(traits, 0)}".strip()
        entry = self._entry(place)
        inside = _clauses(traits, len(place.inside))
        # A row that is listed with some of its fields is told by them as if they were its own.
        if entry == self._noun_of(place):
            return f"{noun} {inside}"
        return f"{noun} of the {entry} {inside}"

    def _entry(self, place: Place) -> str:
        """Return what the element of the parent's row is called that leads to a place."""
        assert place.inside is not None
        names = [step for step in place.inside if isinstance(step, str)]
        maps = self._knowledge.maps(self._places[place.parent or 0].table)
        named = [n for i, n in enumerate(names) if tuple(names[:i]) not in maps]
        return entry_noun(named[-1]) if named else "entry"

    def _noun_of(self, place: Place) -> str:
        return noun_of(self._knowledge, place.table)

    def direct(self, number: int, adjectives: str = "") -> str:
        """Return how a place is called where something is asked of it itself."""
        place = self._places[number]
        if place.parent is None and not self.is_me(number):
            return f"my {self.noun(number)} {place.key}"
        return self.full(number, adjectives)

    def _key_said(self, number: int) -> str:
        """Return the key that the user gave, where the letter speaks of others of its kind."""
        mine = self._places[number]
        known = mine.key in self._given and mine.parent is None
        others = sum(p.table == mine.table and p.key != mine.key for p in self._places)
        return f" {mine.key}" if known and others else ""

    def _is_root(self, number: int) -> bool:
        """Say whether a place is what the user introduced, or the record behind its login."""
        place = self._places[number]
        if place.parent is None:
            return True
        same_noun = self.noun(number) == self.noun(place.parent)
        return same_noun and place.only and self._is_root(place.parent)

    @cached_property
    def _mine(self) -> frozenset[int]:
        """The places that are the record of the one who writes.

        It is what leads the user in, if that is a person; or else the one person whom the thing
        names that leads in, if that person's record names the thing in turn.
        """
        roots = [n for n in range(len(self._places)) if self._is_root(n)]
        mine = [n for n in roots if self._is_person(self._places[n])]
        if not mine:
            near = [n for n, p in enumerate(self._places) if p.parent in roots and p.only]
            owners = [n for n in near if self._is_person(self._places[n]) and self._lists_root(n)]
            mine = owners if len({self._places[n].table for n in owners}) == 1 else []
        return frozenset(mine)

    def _lists_root(self, number: int) -> bool:
        place, root = self._places[number], self._places[0]
        row = self._knowledge.row(place.table, place.key)
        return any(
            hop.key == root.key
            for link in self._knowledge.links_from(place.table)
            if link.target == root.table
            for hop in self._knowledge.hops(link, row)
        )

    def _is_person(self, place: Place) -> bool:
        """Say whether a row is about a person, as far as its fields tell."""
        row = self._knowledge.row(place.table, place.key) or {}
        found = [leaf.pattern for leaf in self._knowledge.leaves(place.table, row)]
        # Who is listed in a booking does not make the booking a person.
        names = [words(pattern[-1]) for pattern in found if ANY not in pattern]
        return any("email" in name or name[-2:] == ["last", "name"] for name in names)


def _in_a_list(place: Place) -> bool:
    return any(isinstance(step, int) for step in place.path)


def _clauses(traits: list[Trait], inside: int) -> str:
    return " and ".join(trait_phrase(trait, inside) for trait in traits)


def _is_condition(trait: Trait) -> bool:
    """Say whether a trait is a condition that is said as an adjective: a pending order."""
    plain = isinstance(trait.value, str) and _CONDITION.fullmatch(trait.value) is not None
    return plain and len(trait.pattern) == 1 and trait.pattern[0] in _CONDITIONS


def _is_said(trait: Trait, adjectives: str) -> bool:
    """Say whether `the pending order` says already that its status is pending."""
    return str(trait.value).casefold() in adjectives.casefold().split()
