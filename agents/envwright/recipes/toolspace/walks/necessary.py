"""Necessity of a walk's calls: those that nothing needs are left out of its reference."""

from collections.abc import Iterator, Sequence

from envwright.events.canonical import Json, encode
from envwright.recipes.toolspace.walks.story import Ask, Inquiry, Question, Request
from envwright.recipes.toolspace.walks.walk import DeadEndError, Made, Walk
from envwright.sandbox.gates import Flow, trace_values


def necessary_calls(walk: Walk, asks: Sequence[Ask]) -> list[Made]:
    """Return the calls of a walk without those that can be left out, which a gate proves again.

    Raises:
        DeadEndError: a value that is used would come from nowhere.
    """
    said = [text for value in _said(walk, asks) for text in _texts(value)]
    answers = [answer_text(ask) for ask in asks if isinstance(ask, Question | Inquiry)]
    made = list(walk.made)
    while True:
        flows = [Flow(list(m.call.arguments.values()), m.value, m.wrote) for m in made]
        traced = trace_values(said, flows, answers)
        if traced.unfounded:
            raise DeadEndError(f"{traced.unfounded[0][1]!r} would come from nowhere")
        if not traced.idle:
            return made
        # One at a time: of two that give the same value one is needed.
        del made[traced.idle[-1]]


def answer_text(question: Question | Inquiry) -> str:
    """Return the answer to a question, as text."""
    value = question.value
    return value if isinstance(value, str) else encode(value).decode("ascii")


def _said(walk: Walk, asks: Sequence[Ask]) -> Iterator[Json]:
    """Yield the values that an instruction will say."""
    yield from walk.given.values()
    for place in walk.places:
        yield from (trait.value for trait in place.traits)
    for ask in asks:
        if isinstance(ask, Request | Inquiry):
            for bound in ask.bound:
                if bound.kind in ("choice", "free", "fresh"):
                    yield bound.value
                for member in bound.members:
                    yield from (trait.value for trait in member.traits)
        if isinstance(ask, Question | Inquiry):
            yield from (trait.value for trait in ask.traits)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif value is not None:
        yield value if isinstance(value, str) else encode(value).decode("ascii")
