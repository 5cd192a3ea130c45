"""Naming: how a letter calls the rows that it speaks of: each can be found, none by its id."""

from envwright.recipes.toolspace.instructions.phrases import noun_of, trait_phrase
from envwright.recipes.toolspace.values import ANY, words
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import Place, Story
from envwright.recipes.toolspace.walks.traits import Trait


class Naming:
    """Names the places of one story and remembers which it has told of."""

    def __init__(self, knowledge: Knowledge, story: Story) -> None:
        self._knowledge = knowledge
        self._places = story.places
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
        return self._is_root(number) and self._is_person(self._places[number])

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
        parent = self._places[number].parent
        return [] if parent is None else [*self._ancestors(parent), parent]

    def full(self, number: int, adjectives: str = "") -> str:
        """Return what tells a place from all others, whatever was told before."""
        place = self._places[number]
        noun = self.noun(number)
        if self._is_root(number):
            return f"my {noun} record" if self._is_person(place) else f"my {noun}"
        assert place.parent is not None
        if any(_is_said(trait, adjectives) for trait in place.traits):
            adjectives = adjectives if self.is_me(place.parent) else ""
        noun = f"{adjectives}{noun}"
        mine, parent = self.is_me(place.parent), self.full(place.parent)
        if place.only:
            only = "only " if any(isinstance(step, int) for step in place.path) else ""
            return f"my {only}{noun}" if mine else f"the {only}{noun} of {parent}"
        traits = self._traits(place, adjectives)
        if mine:
            return f"the {noun} {traits}".strip() if traits else f"my {noun}"
        if place.inside is not None and self._is_root(place.parent):
            return f"the {noun} of {parent} {traits}".strip()
        belonging = ", in" if place.inside is not None else " that belongs to"
        belongs = "" if self._is_root(place.parent) else f"{belonging} {parent}"
        return f"{f'the {noun} {traits}'.strip()}{belongs}"

    def direct(self, number: int, adjectives: str = "") -> str:
        """Return how a place is called where something is asked of it itself."""
        place = self._places[number]
        if place.parent is None and not self.is_me(number):
            return f"my {self.noun(number)} {place.key}"
        return self.full(number, adjectives)

    def _traits(self, place: Place, adjectives: str) -> str:
        if place.inside is not None:
            parts = [trait_phrase(t, len(place.inside), listed=True) for t in place.traits]
        else:
            parts = [trait_phrase(t) for t in place.traits if not _is_said(t, adjectives)]
        return " and ".join(parts)

    def _is_root(self, number: int) -> bool:
        """Say whether a place is what the user introduced, or the record behind its login."""
        place = self._places[number]
        if place.parent is None:
            return True
        same_noun = self.noun(number) == self.noun(place.parent)
        return same_noun and place.only and self._is_root(place.parent)

    def _is_person(self, place: Place) -> bool:
        """Say whether a row is about a person, as far as its fields tell."""
        row = self._knowledge.row(place.table, place.key) or {}
        found = [leaf.pattern for leaf in self._knowledge.leaves(place.table, row)]
        # Who is listed in a booking does not make the booking a person.
        names = [words(pattern[-1]) for pattern in found if ANY not in pattern]
        return any("email" in name or name[-2:] == ["last", "name"] for name in names)


def _is_said(trait: Trait, adjectives: str) -> bool:
    """Say whether `the pending order` says already that its status is pending."""
    return str(trait.value).casefold() in adjectives.casefold().split()
