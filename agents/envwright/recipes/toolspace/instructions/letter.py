"""The letter: the instruction of a story, as the person would write who asks for it."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.instructions.phrases import (
    argument_noun,
    field_phrase,
    joined,
    noun_of,
    said,
    trait_phrase,
    wish,
)
from envwright.recipes.toolspace.values import ANY, Path, phrase, words
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import Bound, Member, Place, Question, Request, Story

_GREETINGS = ("Hello,", "Hi,", "Hi there,", "Good day,")
_ASKS = ("I would like you to", "Could you please", "I need you to", "Please help me:")
_AGAIN = ("Then I would like you to", "After that, could you please", "Next, I need you to")


class Letter(NamedTuple):
    """An instruction and the paragraph of each request in it."""

    text: str
    paragraphs: tuple[str, ...]
    """One for each request, or one for the question: word for word as they stand in the text."""


def write_letter(knowledge: Knowledge, story: Story, seed: str) -> Letter:
    """Return the instruction of a story; another seed gives other words for the same."""
    return _Writer(knowledge, story, Random(seed)).run()


class _Writer:
    """Writes one letter and remembers which rows it has told of."""

    def __init__(self, knowledge: Knowledge, story: Story, rng: Random) -> None:
        self._knowledge = knowledge
        self._story = story
        self._rng = rng
        self._told: set[int] = set()

    def run(self) -> Letter:
        """Write the letter."""
        greeting = f"{self._rng.choice(_GREETINGS)} {self._identity()}"
        if self._story.question is not None:
            paragraphs = [self._question(self._story.question)]
        else:
            paragraphs = [
                self._request(number, one) for number, one in enumerate(self._story.requests)
            ]
        text = "\n\n".join([greeting, *paragraphs]) + "\n"
        return Letter(text, tuple(paragraphs))

    def _identity(self) -> str:
        given = dict(self._story.given)
        parts = []
        first, last = _named(given, "first"), _named(given, "last")
        if first and last:
            parts.append(f"I am {given.pop(first)} {given.pop(last)}")
        elif "name" in given and isinstance(given["name"], str):
            parts.append(f"I am {given.pop('name')}")
        parts += [f"my {phrase(name)} is {_plain(given[name])}" for name in sorted(given)]
        return f"{joined(parts)}."

    def _request(self, number: int, request: Request) -> str:
        schema = self._knowledge.tool(request.tool).schema_
        ask = self._rng.choice(_AGAIN if number else _ASKS)
        end = "?" if "could you" in ask.casefold() else "."
        sentences = [f"{ask} {wish(schema)}{end}"]
        if request.place is not None:
            sentences.append(self._about(request.place))
        keyed = [one.place for one in request.bound if one.kind == "key"]
        sentences += [self._takes(number) for number in keyed if number is not None]
        sentences += self._values(request)
        return " ".join(sentence for sentence in sentences if sentence)

    def _about(self, number: int) -> str:
        place = self._story.places[number]
        noun = noun_of(self._knowledge, place.table)
        if number in self._told:
            return f"It is about the same {noun}."
        self._told.add(number)
        if self._is_root(number):
            return f"It is about {self._named_place(number)}."
        return f"I mean {self._named_place(number)}."

    def _takes(self, number: int) -> str:
        noun = noun_of(self._knowledge, self._story.places[number].table)
        if number in self._told:
            return f"The {noun} is the same."
        self._told.add(number)
        return f"The {noun} is {self._named_place(number)}."

    def _is_root(self, number: int) -> bool:
        """Say whether a place is what the user introduced, or the record behind its login."""
        place = self._story.places[number]
        if place.parent is None:
            return True
        parent = self._story.places[place.parent]
        same_noun = noun_of(self._knowledge, place.table) == noun_of(self._knowledge, parent.table)
        return same_noun and place.only and self._is_root(place.parent)

    def _is_person(self, place: Place) -> bool:
        """Say whether a row is about a person, as far as its fields tell."""
        row = self._knowledge.row(place.table, place.key) or {}
        names = [words(leaf.pattern[-1]) for leaf in self._knowledge.leaves(place.table, row)]
        return any("email" in name or name[-2:] == ["last", "name"] for name in names)

    def _named_place(self, number: int) -> str:
        place = self._story.places[number]
        noun = noun_of(self._knowledge, place.table)
        if self._is_root(number):
            return f"my {noun} record" if self._is_person(place) else f"my {noun}"
        assert place.parent is not None
        parent = self._named_place(place.parent)
        if place.only:
            listed = any(isinstance(step, int) for step in place.path)
            return f"the {'only ' if listed else ''}{noun} of {parent}"
        traits = self._traits(place)
        whole = f"the {noun} {traits}"
        return whole if self._is_root(place.parent) else f"{whole}, of {parent}"

    def _traits(self, place: Place) -> str:
        if place.inside is None:
            return " and ".join(trait_phrase(trait) for trait in place.traits)
        inner = " and ".join(trait_phrase(trait, len(place.inside)) for trait in place.traits)
        return f"in the entry {inner}"

    def _values(self, request: Request) -> Iterator[str]:
        yield from (self._fresh(one) for one in request.bound if one.kind == "fresh")
        given = [one for one in request.bound if one.kind in ("choice", "free")]
        if len(given) == 1:
            yield f"The {phrase(given[0].argument)} should be {said(given[0].value)}."
        elif given:
            parts = [f"{phrase(one.argument)} {said(one.value)}" for one in given]
            yield f"Please use {joined(parts)}."
        yield from (self._members(one) for one in request.bound if one.kind == "member")

    def _fresh(self, bound: Bound) -> str:
        return f"Give the new {argument_noun(bound.argument)} the id {said(bound.value)}."

    def _members(self, bound: Bound) -> str:
        noun = argument_noun(bound.argument)
        assert bound.place is not None
        if ANY not in self._pattern(bound.place, bound.members[0].path):
            field = field_phrase(self._pattern(bound.place, bound.members[0].path))
            row = noun_of(self._knowledge, self._story.places[bound.place].table)
            return f"As the {noun}, give the {field} that the {row} has on record."
        if len(bound.members) == 1:
            return f"As the {noun}, take {self._one(bound, bound.members[0])}."
        return f"As the {noun}s, take {joined([self._one(bound, m) for m in bound.members])}."

    def _one(self, bound: Bound, member: Member) -> str:
        if member.only:
            return "the only one there is"
        assert bound.place is not None
        pattern = self._pattern(bound.place, member.path)
        if len(member.traits) == 1 and member.traits[0].path == member.path:
            return said(member.value)
        inside = len(pattern) - 1 - pattern[::-1].index(ANY) + 1
        return f"the one {' and '.join(trait_phrase(trait, inside) for trait in member.traits)}"

    def _pattern(self, number: int, path: Path) -> tuple[str, ...]:
        """Return the pattern of a path in the row of a place."""
        maps = self._knowledge.maps(self._story.places[number].table)
        pattern: tuple[str, ...] = ()
        for step in path:
            pattern = (*pattern, ANY if isinstance(step, int) or pattern in maps else step)
        return pattern

    def _question(self, question: Question) -> str:
        field = field_phrase(self._pattern(question.place, question.path))
        place = self._named_place(question.place)
        form = self._rng.choice(
            ("Could you please tell me the {0} of {1}?", "I would like to know the {0} of {1}.")
        )
        return form.format(field, place)


def _named(given: dict[str, Json], word: str) -> str:
    fitting = [n for n in sorted(given) if words(n) == [word, "name"] and isinstance(given[n], str)]
    return fitting[0] if fitting else ""


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else said(value)
