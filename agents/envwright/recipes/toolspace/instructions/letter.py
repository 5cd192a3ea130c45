"""The letter: the instruction of a story, as the person would write who asks for it."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.instructions.naming import Naming
from envwright.recipes.toolspace.instructions.phrases import (
    argument_noun,
    argument_order,
    argument_phrase,
    entry_noun,
    field_phrase,
    joined,
    said,
    trait_phrase,
)
from envwright.recipes.toolspace.instructions.wishes import Opening, wish
from envwright.recipes.toolspace.values import ANY, Path, Pattern, plural, words
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import (
    Bound,
    Inquiry,
    Member,
    Question,
    Request,
    Story,
)
from envwright.recipes.toolspace.walks.traits import Trait

_GREETINGS = ("Hello,", "Hi,", "Hi there,", "Good day,")
_ASKS = ("I would like you to {}.", "Could you please {}?", "I need you to {}.", "Please {}.")
_MORE = (
    "Then I would like you to {}.",
    "After that, could you please {}?",
    "Next, I need you to {}.",
    "Then please {}.",
    "I would also like you to {}.",
)
_LAST = ("Finally, please {}.", "Finally, I would like you to {}.")
_QUESTIONS = ("Could you please tell me {}?", "I would like to know {}.", "Please tell me {}.")
_MORE_QUESTIONS = (
    "I would also like to know {}.",
    "Could you also tell me {}?",
    "Please also tell me {}.",
)


class Letter(NamedTuple):
    """An instruction and the paragraph of each thing that it asks for."""

    text: str
    paragraphs: tuple[str, ...]
    """One for each request or question, word for word as they stand in the text."""


def write_letter(knowledge: Knowledge, story: Story, seed: str) -> Letter:
    """Return the instruction of a story; another seed gives other words for the same."""
    return _Writer(knowledge, story, Random(seed)).run()


class _Writer:
    """Writes one letter."""

    def __init__(self, knowledge: Knowledge, story: Story, rng: Random) -> None:
        self._knowledge = knowledge
        self._story = story
        self._rng = rng
        self._naming = Naming(knowledge, story)
        self._before = ""

    def run(self) -> Letter:
        """Write the letter."""
        greeting = f"{self._rng.choice(_GREETINGS)} {self._identity()}"
        paragraphs = []
        for number, ask in enumerate(self._story.asks):
            if isinstance(ask, Request):
                paragraphs.append(self._request(number, ask))
            elif isinstance(ask, Inquiry):
                paragraphs.append(self._inquiry(number, ask))
            else:
                paragraphs.append(self._question(number, ask))
        text = "\n\n".join([greeting, *paragraphs]) + "\n"
        return Letter(text, tuple(paragraphs))

    def _form(self, forms: Sequence[str]) -> str:
        """Return one of the forms, never the same twice in a row."""
        self._before = self._rng.choice([form for form in forms if form != self._before])
        return self._before

    def _identity(self) -> str:
        given = dict(self._story.given)
        schema = self._knowledge.tool(self._story.entry.tool).schema_
        parts = []
        first, last = _named(given, "first"), _named(given, "last")
        if first and last:
            parts.append(f"I am {given.pop(first)} {given.pop(last)}")
        elif "name" in given and isinstance(given["name"], str):
            parts.append(f"I am {given.pop('name')}")
        for name in sorted(given, key=lambda name: argument_order(schema, name)):
            parts.append(f"my {argument_phrase(schema, name)} is {_plain(given[name])}")
        return f"{joined(parts)}."

    def _request(self, number: int, request: Request) -> str:
        schema = self._knowledge.tool(request.tool).schema_
        text, left = self._wish(schema, request)
        last = number == len(self._story.asks) - 1
        forms = _ASKS if not number else _LAST if last and number > 1 else _MORE
        sentences = [self._form(forms).format(text)]
        sentences += [self._about(place, place == request.place) for place in left]
        sentences += self._values(schema, request.bound)
        return " ".join(sentences)

    def _inquiry(self, number: int, inquiry: Inquiry) -> str:
        schema = self._knowledge.tool(inquiry.tool).schema_
        sentences = [self._form(_MORE if number else _ASKS).format(wish(schema))]
        sentences += [self._held(schema, one) for one in inquiry.bound if one.kind == "member"]
        sentences += self._details(schema, [one for one in inquiry.bound if one.kind == "free"])
        asked = self._value_of(_pattern(inquiry.path, frozenset()), inquiry.traits, "one")
        form = self._rng.choice(("I want to know {}.", "Tell me {}, please."))
        return " ".join((*sentences, form.format(asked)))

    def _held(self, schema: ToolSchema, bound: Bound) -> str:
        """Return that an argument is what a field of a row says."""
        assert bound.place is not None
        noun = argument_phrase(schema, bound.argument)
        field = self._field_of(bound.place, self._pattern(bound.place, bound.members[0].path))
        use = "Use" if field.startswith(f"the {noun} ") else f"For the {noun}, use"
        return f"{use} {field}."

    def _wish(self, schema: ToolSchema, request: Request) -> tuple[str, list[int]]:
        """Return what is asked for, and the places that have to be told of besides."""
        text = wish(schema)
        keyed = [one.place for one in request.bound if one.kind == "key" and one.place is not None]
        left: list[int] = []
        for place in [*([] if request.place is None else [request.place]), *keyed]:
            opening = Opening(text, self._naming.noun(place))
            filled = None
            if self._naming.is_me(place):
                filled = opening.mine()
            elif opening.found and place == request.place:
                filled = opening.filled(self._peek(place, self._adjectives(place, opening)))
            if filled is None:
                left.append(place)
            else:
                text = filled
                self._naming.tell(place)
        return text, left

    def _adjectives(self, place: int, opening: Opening) -> str:
        """Return what the tool says of its row, if rows say so too: pending, but not whole."""
        known = self._knowledge.variety.conditions(self._story.places[place].table)
        return opening.adjectives if set(opening.adjectives.casefold().split()) <= known else ""

    def _peek(self, place: int, adjectives: str) -> str:
        same = self._naming.is_same(place)
        noun = self._naming.noun(place)
        return f"the same {noun}" if same else self._naming.direct(place, adjectives)

    def _about(self, place: int, changed: bool) -> str:
        noun = self._naming.noun(place)
        same = self._naming.is_same(place)
        told = self._naming.tell(place)
        if changed:
            return f"{'It is about' if same or told.startswith('my') else 'I mean'} {told}."
        if self._naming.is_me(place):
            return f"The {noun} is me."
        return f"The {noun} is {'the same' if same else told}."

    def _values(self, schema: ToolSchema, bound: Sequence[Bound]) -> Iterator[str]:
        yield from (self._fresh(one) for one in bound if one.kind == "fresh")
        yield from self._details(schema, [one for one in bound if one.kind in ("choice", "free")])
        members = [one for one in bound if one.kind == "member"]
        # Of two lists the first things belong together, and so on.
        paired = len([one for one in members if len(one.members) > 1]) > 1
        for number, one in enumerate(members):
            yield self._members(one, "respectively " if paired and number else "")

    def _details(self, schema: ToolSchema, given: list[Bound]) -> Iterator[str]:
        """Yield the sentence of what the user decides."""
        given.sort(key=lambda one: argument_order(schema, one.argument))
        parts = [(argument_phrase(schema, one.argument), said(one.value)) for one in given]
        if len(parts) == 1:
            yield f"The {parts[0][0]} should be {parts[0][1]}."
        elif parts:
            form = self._rng.choice(("The details are: {}.", "Here is what to use: {}."))
            yield form.format(joined([f"{name} {value}" for name, value in parts]))

    def _fresh(self, bound: Bound) -> str:
        return f"Give the new {argument_noun(bound.argument)} the id {said(bound.value)}."

    def _members(self, bound: Bound, manner: str = "") -> str:
        noun = argument_noun(bound.argument)
        assert bound.place is not None
        pattern = self._pattern(bound.place, bound.members[0].path)
        if ANY not in pattern:
            field, row = field_phrase(pattern), self._naming.noun(bound.place)
            use = "Please use" if field == noun else f"For the {noun}, please use"
            return f"{use} the {field} that the {row} has on record."
        if len(bound.members) == 1:
            wanted = "should be" if noun.startswith("new ") else "is"
            form = self._rng.choice(("For the {0}, please take {1}.", f"The {{0}} {wanted} {{1}}."))
            return form.format(noun, self._one(bound, bound.members[0]))
        listed = joined([self._one(bound, member) for member in bound.members])
        wanted = "should be" if noun.startswith("new ") else "are"
        return f"The {plural(noun)} {wanted} {manner}{listed}."

    def _one(self, bound: Bound, member: Member) -> str:
        if member.only:
            return "the only one there is"
        assert bound.place is not None
        pattern = self._pattern(bound.place, member.path)
        if len(member.traits) == 1 and member.traits[0].path == member.path:
            return said(member.value)
        inside = _depth(pattern)
        return f"the one {' and '.join(trait_phrase(trait, inside) for trait in member.traits)}"

    def _pattern(self, number: int, path: Path) -> tuple[str, ...]:
        """Return the pattern of a path in the row of a place."""
        return _pattern(path, self._knowledge.maps(self._story.places[number].table))

    def _question(self, number: int, question: Question) -> str:
        form = self._form(_MORE_QUESTIONS if number else _QUESTIONS)
        return form.format(self._asked(question))

    def _asked(self, question: Question) -> str:
        pattern = self._pattern(question.place, question.path)
        if ANY not in pattern:
            return self._field_of(question.place, pattern)
        row = self._naming.tell(question.place)
        container = next(s for s in reversed(pattern[: _depth(pattern)]) if s != ANY)
        return f"{self._value_of(pattern, question.traits, entry_noun(container))} in {row}"

    def _value_of(self, pattern: Pattern, traits: Sequence[Trait], entry: str) -> str:
        """Return how a value is called, with the entry of a list that holds it."""
        if ANY not in pattern:
            return f"the {field_phrase(pattern)}"
        inside = _depth(pattern)
        told = " and ".join(trait_phrase(trait, inside) for trait in traits)
        which = f"the {entry} {told}" if told else f"the only {entry}"
        return f"the {field_phrase(pattern[inside:])} of {which}"

    def _field_of(self, number: int, pattern: Pattern) -> str:
        """Return how a field of a row is called, in the words of an argument where it has none."""
        row = self._naming.tell(number)
        belongs = "in" if self._naming.is_me(number) else "of"
        field, _, holder = field_phrase(pattern).partition(" in the ")
        words_of = self._knowledge.argument_schemas(self._story.places[number].table)
        if any(c.isdigit() for c in field) and pattern[-1] in words_of:
            field = argument_phrase(words_of[pattern[-1]], pattern[-1])
        return f"the {field} in the {holder} of {row}" if holder else f"the {field} {belongs} {row}"


def _pattern(path: Path, maps: frozenset[Pattern]) -> Pattern:
    pattern: Pattern = ()
    for step in path:
        pattern = (*pattern, ANY if isinstance(step, int) or pattern in maps else step)
    return pattern


def _depth(pattern: Pattern) -> int:
    """Return how many steps lead into the innermost list of a pattern."""
    return len(pattern) - pattern[::-1].index(ANY)


def _named(given: dict[str, Json], word: str) -> str:
    fitting = [n for n in sorted(given) if words(n) == [word, "name"] and isinstance(given[n], str)]
    return fitting[0] if fitting else ""


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else said(value)
