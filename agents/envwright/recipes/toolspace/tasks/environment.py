"""The environment of a task: all mined rows where they are few, else those around the task."""

from collections.abc import Iterable
from random import Random

from envwright.events.canonical import Json
from envwright.recipes.toolspace.mining.namespaces import is_unnamed, split_key
from envwright.recipes.toolspace.walks.knowledge import Knowledge, Rows
from envwright.recipes.toolspace.walks.story import Story

DEPTH = 2
"""How many links away from the rows of a task other rows are kept (ours)."""

Spot = tuple[str, str]
"""Table and key."""


def namespaces_of(knowledge: Knowledge, story: Story) -> list[str]:
    """Return the namespaces that a story touches, sorted."""
    tables = {knowledge.table(place.table).namespace for place in story.places}
    asked = [*(ask.tool for ask in story.requests), *(ask.tool for ask in story.inquiries)]
    tools = {split_key(tool)[0] for tool in asked}
    return sorted(tables | tools | {split_key(story.entry.tool)[0]})


def services_of(knowledge: Knowledge, story: Story) -> list[str]:
    """Return the services that a story touches; where a log names none, its entity types."""
    services = set()
    for place in story.places:
        table = knowledge.table(place.table)
        services.add(place.table if is_unnamed(table.namespace) else table.namespace)
    return sorted(services)


def choose_rows(knowledge: Knowledge, story: Story, seed: str, most_bytes: int) -> Rows:
    """Return the rows of a task's world, at most about `most_bytes` of them.

    The rows of the task are always there, with what they lead to; other rows join, each with what
    it leads to, in an order that the seed decides, so that what is asked is not all there is.
    """
    namespaces = namespaces_of(knowledge, story)
    tables = [n for n, t in sorted(knowledge.profile.tables.items()) if t.namespace in namespaces]
    spots = [(name, key) for name in tables for key in sorted(knowledge.table(name).rows)]
    if sum(knowledge.sizes[spot] for spot in spots) <= most_bytes:
        return _rows(knowledge, spots)
    chosen = _around(knowledge, [(place.table, place.key) for place in story.places])
    size = sum(knowledge.sizes[spot] for spot in chosen)
    others = list(spots)
    Random(seed).shuffle(others)
    for spot in others:
        if spot in chosen:
            continue
        joining = _around(knowledge, [spot]) - chosen
        size += sum(knowledge.sizes[one] for one in joining)
        if size > most_bytes:
            break
        chosen |= joining
    return _rows(knowledge, chosen)


def _around(knowledge: Knowledge, starts: Iterable[Spot]) -> set[Spot]:
    found = {spot for spot in starts if knowledge.row(*spot) is not None}
    edge = sorted(found)
    for _ in range(DEPTH):
        reached = {
            (link.target, hop.key)
            for table, key in edge
            for link in knowledge.links_from(table)
            for hop in knowledge.hops(link, knowledge.row(table, key))
            if knowledge.row(link.target, hop.key) is not None
        }
        edge = sorted(reached - found)
        found |= reached
    return found


def _rows(knowledge: Knowledge, spots: Iterable[Spot]) -> Rows:
    rows: Rows = {}
    for table, key in sorted(spots):
        row: dict[str, Json] | None = knowledge.row(table, key)
        if row is not None:
            rows.setdefault(table, {})[key] = row
    return rows
