"""Joined entities: the kinds of rows between which values flow in a task's reference."""

from collections.abc import Iterator

from envwright.recipes.toolspace.values import key_text
from envwright.recipes.toolspace.walks.knowledge import Knowledge
from envwright.recipes.toolspace.walks.story import Question, Story


def joined_entities(knowledge: Knowledge, story: Story) -> list[str]:
    """Return the entity types that data edges of the reference join, sorted; none or two at least.

    An edge is a value that was found in a row of one type and given to a call about another.
    """
    return sorted({name for edge in _edges(knowledge, story) for name in edge})


def _edges(knowledge: Knowledge, story: Story) -> Iterator[tuple[str, str]]:
    used = {
        (table, key_text(call.arguments[argument]))
        for call in story.calls
        for argument, table in knowledge.key_arguments(_tool(knowledge, call.name)).items()
        if isinstance(call.arguments.get(argument), str | int)
    }
    for place in story.places:
        parent = None if place.parent is None else story.places[place.parent].table
        if parent not in (None, place.table) and (place.table, place.key) in used:
            assert parent is not None
            yield parent, place.table
    for ask in story.asks:
        if isinstance(ask, Question):
            continue
        about = knowledge.table_of(ask.tool)
        for bound in ask.bound:
            held = bound.kind == "member" and bound.place is not None
            source = story.places[bound.place or 0].table
            if held and about and source != about:
                yield source, about


def _tool(knowledge: Knowledge, name: str) -> str:
    return next(tool for tool, known in knowledge.names.items() if known == name)
