"""The blueprint: the facts that a task rests on, where each is true and who may see it."""

from collections.abc import Iterable, Iterator

from envwright.events.canonical import Json
from envwright.recipes.toolspace.instructions.letter import Letter
from envwright.recipes.toolspace.values import Path
from envwright.recipes.toolspace.walks.story import (
    Bound,
    Inquiry,
    Place,
    Question,
    Request,
    Story,
)
from envwright.sandbox.packages import Blueprint, BlueprintFact, BoundaryRule, Criterion, Visibility
from envwright.sandbox.worlds import CASSETTES, cassette_key

_TABLES = "environment/tables.json#"
_CASSETTES = f"environment/{CASSETTES}#"
_SOLUTION = "solution/calls.json"


SERVICES = "services"
"""Id of the fact that names the services, or else the entity types, that a task works on."""


ENTITIES = "entities"
"""Id of the fact that names the entity types which data edges of the reference join."""


def draw_blueprint(
    story: Story, letter: Letter, services: list[str], entities: list[str]
) -> Blueprint:
    """Return facts, boundary and criteria of a story and its letter."""
    facts = {fact.id: fact for fact in _facts(story)}
    facts[SERVICES] = _fact(SERVICES, services, "prompt", "package.json#/tools")
    facts[ENTITIES] = _fact(ENTITIES, entities, "prompt", _SOLUTION)
    ordered = [facts[key] for key in sorted(facts)]
    # A tool's schema may list the values that a user chooses from.
    rules = [
        BoundaryRule(fact_id=fact.id, may_appear_in=("instruction.md", "tools"))
        for fact in ordered
        if fact.visibility == "prompt"
    ]
    return Blueprint(
        facts=tuple(ordered),
        boundary=tuple(rules),
        criteria=tuple(_criteria(story, letter, facts)),
    )


def _criteria(story: Story, letter: Letter, facts: dict[str, BlueprintFact]) -> Iterator[Criterion]:
    for name, paragraph in zip(_names(story), letter.paragraphs, strict=True):
        yield Criterion(
            id=name,
            fact_ids=tuple(key for key in sorted(facts) if key.startswith(f"{name}.")),
            quote=paragraph,
        )


def _names(story: Story) -> Iterator[str]:
    """Yield a name for each ask."""
    for number, ask in enumerate(story.asks, start=1):
        yield f"{'request' if isinstance(ask, Request) else 'question'}-{number}"


def pointer(*steps: str | int) -> str:
    """Return a JSON pointer (RFC 6901) into the tables."""
    return _pointer(_TABLES, steps)


def _pointer(document: str, steps: Iterable[str | int]) -> str:
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in steps)
    return document + "".join(f"/{step}" for step in escaped)


def steps_of(location: str) -> list[str] | None:
    """Return the steps of a pointer into the tables; None for another location."""
    return _steps(_TABLES, location)


def recorded_steps(location: str) -> list[str] | None:
    """Return the steps of a pointer into the cassettes; None for another location."""
    return _steps(_CASSETTES, location)


def _steps(document: str, location: str) -> list[str] | None:
    if not location.startswith(f"{document}/"):
        return None
    parts = location.removeprefix(f"{document}/").split("/")
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def _facts(story: Story) -> Iterator[BlueprintFact]:
    first = story.places[0]
    row = pointer(first.table, "rows", first.key)
    for name in sorted(story.given):
        yield _fact(f"given.{name}", story.given[name], "prompt", row)
    for number, place in enumerate(story.places):
        yield from _place_facts(story, number, place)
    for name, ask in zip(_names(story), story.asks, strict=True):
        if isinstance(ask, Question):
            yield from _question_facts(story, name, ask)
            continue
        for bound in ask.bound:
            yield from _bound_facts(story, f"{name}.{bound.argument}", bound)
        if isinstance(ask, Inquiry):
            yield from _inquiry_facts(name, ask)


def _question_facts(story: Story, name: str, question: Question) -> Iterator[BlueprintFact]:
    asked = story.places[question.place]
    where = _inside(asked, question.path)
    yield _fact(f"{name}.answer", question.value, "hidden", where)
    for index, trait in enumerate(question.traits, start=1):
        where = _inside(asked, trait.path)
        yield _fact(f"{name}.answer.trait-{index}", trait.value, "prompt", where)


def _inquiry_facts(name: str, inquiry: Inquiry) -> Iterator[BlueprintFact]:
    call = inquiry.call
    start = (call.name, cassette_key(call.name, call.arguments))
    where = _pointer(_CASSETTES, (*start, *inquiry.path))
    yield _fact(f"{name}.answer", inquiry.value, "hidden", where)
    for index, trait in enumerate(inquiry.traits, start=1):
        where = _pointer(_CASSETTES, (*start, *trait.path))
        yield _fact(f"{name}.answer.trait-{index}", trait.value, "prompt", where)


def _place_facts(story: Story, number: int, place: Place) -> Iterator[BlueprintFact]:
    if place.parent is None:
        known = place.key in [str(value) for value in story.given.values()]
        if not known:
            where = pointer(place.table, "rows", place.key)
            yield _fact(f"place-{number}.key", place.key, "hidden", where)
        return
    parent = story.places[place.parent]
    found = pointer(parent.table, "rows", parent.key, *place.path)
    yield _fact(f"place-{number}.key", place.key, "hidden", found)
    owner = parent if place.inside is not None else place
    for index, trait in enumerate(place.traits, start=1):
        where = pointer(owner.table, "rows", owner.key, *trait.path)
        yield _fact(f"place-{number}.trait-{index}", trait.value, "prompt", where)


def _bound_facts(story: Story, name: str, bound: Bound) -> Iterator[BlueprintFact]:
    if bound.kind in ("choice", "free", "fresh"):
        yield _fact(name, bound.value, "prompt", _SOLUTION)
    if bound.kind != "member" or bound.place is None:
        return
    place = story.places[bound.place]
    for index, member in enumerate(bound.members, start=1):
        where = _inside(place, member.path)
        told = [trait for trait in member.traits if trait.path == member.path]
        # What is said as it stands is no secret.
        yield _fact(f"{name}.{index}", member.value, "prompt" if told else "hidden", where)
        for order, trait in enumerate(member.traits, start=1):
            if trait not in told:
                where = _inside(place, trait.path)
                yield _fact(f"{name}.{index}.trait-{order}", trait.value, "prompt", where)


def _inside(place: Place, path: Path) -> str:
    return pointer(place.table, "rows", place.key, *path)


def _fact(name: str, value: Json, visibility: Visibility, location: str) -> BlueprintFact:
    return BlueprintFact(id=name, value=value, visibility=visibility, location=location)
