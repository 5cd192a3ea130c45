"""Entities: which tools give back whole rows of one kind, and which argument is the row's key.

A result may be the row, or hold it in a field beside others; a row that is held so is known by the
field of its own that repeats the key.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from envwright.events.canonical import Json
from envwright.recipes.toolspace.mining.history import History, Moment
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.values import (
    ABSENT,
    Path,
    at,
    entity_noun,
    is_key_value,
    key_text,
    plural,
    same,
    words,
)

MOSTLY = 0.95
"""Share of observations that must agree before something counts as a rule (ours)."""

ALIKE = 0.5
"""Least overlap (Jaccard) of the fields of two tools that give rows of one kind (ours)."""

FEWEST_KEYS = 3
"""Fewest distinct keys that make an entity (ours)."""

_NAME_ENDS = frozenset({"by", "with", "for", "from", "details", "detail", "info", "record", "data"})


@dataclass
class Entity:
    """A kind of row: its tools, each with the argument that holds the key."""

    namespace: str
    argument: str
    """Name of the key in the tool that reads it."""
    key_field: str | None
    """The field of the row that repeats the key, if one does."""
    fields: frozenset[str]
    tools: dict[str, str] = field(default_factory=dict)
    name: str = ""
    places: dict[str, Path] = field(default_factory=dict)
    """Where in a tool's result the row stands, if the result is not the row."""

    def part(self, tool: str, result: Json) -> Json:
        """Return the row in the result of a tool, or ABSENT."""
        return at(result, self.places.get(tool, ()))

    def shown(self, tool: str, result: Json, reader: str, row: Json) -> Json:
        """Return what `reader` would give after a call whose result shows the row, or ABSENT.

        `row` is what the reader gave before, or ABSENT; a tool may show part of it, the rest is as
        it was.
        """
        part, place = self.part(tool, result), self.places.get(reader, ())
        before = at(row, place)
        if not isinstance(part, dict) or (place and not isinstance(before, dict)):
            return ABSENT
        merged: Json = {**(before if isinstance(before, dict) else {}), **part}
        return _replaced(row, place, merged)

    def key(self, call_tool: str, arguments: dict[str, Json]) -> str | None:
        """Return the key of the row that a call is about, or None."""
        value = arguments.get(self.tools.get(call_tool, ""))
        return key_text(value) if is_key_value(value) else None


def _replaced(value: Json, path: Path, new: Json) -> Json:
    if not path:
        return new
    return {**value, path[0]: _replaced(value[path[0]], path[1:], new)}


class _Rows(NamedTuple):
    """A tool whose results are rows, or hold one each."""

    tool: str
    argument: str
    """The key, where the results say so themselves or there is only one argument."""
    place: Path
    moments: list[Moment]
    fields: frozenset[str]

    @property
    def namespace(self) -> str:
        return split_key(self.tool)[0]

    def repeats(self, argument: str, name: str) -> bool:
        """Say whether a field of the rows holds what the argument gave."""
        return _repeats(self.moments, argument, (*self.place, name))


def find_entities(history: History) -> list[Entity]:
    """Return the entities, sorted by name; every tool gives rows of one entity at most."""
    rows = {tool: _row_moments(history, tool) for tool in history.tools}
    entities: list[Entity] = []
    single = [t for t in history.tools if rows[t] and _one_argument(history, t)]
    for tool in sorted(single, key=lambda t: (-_distinct(rows[t]), t)):
        (argument,) = history.argument_names(tool)
        place = next(_places(rows[tool], [argument]), (argument, ()))[1]
        _place_single(_rows(tool, argument, place, rows[tool]), entities)
    for tool in history.tools:
        names = history.argument_names(tool)
        if rows[tool] and len(names) > 1:
            places = [*_places(rows[tool], names), *((name, ()) for name in names)]
            _place_other([_rows(tool, name, at, rows[tool]) for name, at in places], entities)
    _give_names(entities)
    return sorted(entities, key=lambda entity: entity.name)


def _one_argument(history: History, tool: str) -> bool:
    names = history.argument_names(tool)
    return len(names) == 1 and names != [""]


def _row_moments(history: History, tool: str) -> list[Moment]:
    good = history.successes(tool)
    rows = [moment for moment in good if isinstance(moment.call.value, dict) and moment.call.value]
    return rows if len(rows) >= MOSTLY * len(good) else []


def _rows(tool: str, argument: str, place: Path, moments: list[Moment]) -> _Rows:
    return _Rows(tool, argument, place, moments, _fields(moments, place))


def _places(moments: list[Moment], arguments: list[str]) -> Iterator[tuple[str, Path]]:
    """Yield arguments with the place of a row that repeats them: the result, else a field of it."""
    places: list[Path] = [()]
    places += [(name,) for name in sorted(_fields(moments, ()))]
    for place in places:
        for name in sorted(_fields(moments, place)):
            for argument in arguments:
                if _repeats(moments, argument, (*place, name)):
                    yield argument, place


def _distinct(moments: list[Moment]) -> int:
    return len({key_text(v) for m in moments for v in m.call.arguments.values() if is_key_value(v)})


def _fields(moments: list[Moment], place: Path) -> frozenset[str]:
    rows = [at(moment.call.value, place) for moment in moments]
    counts = Counter(name for row in rows if isinstance(row, dict) for name in row)
    return frozenset(name for name, count in counts.items() if 2 * count > len(moments))


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of names that two sets have in common."""
    return len(left & right) / len(left | right) if left or right else 0.0


def _repeats(moments: list[Moment], argument: str, place: Path) -> bool:
    hits = 0
    for moment in moments:
        found, given = at(moment.call.value, place), moment.call.arguments.get(argument)
        hits += found is not ABSENT and is_key_value(given) and same(found, given)
    return hits >= MOSTLY * len(moments)


def _place_single(rows: _Rows, entities: list[Entity]) -> None:
    for entity in entities:
        if (entity.namespace, entity.argument) != (rows.namespace, rows.argument):
            continue
        if overlap(entity.fields, rows.fields) >= ALIKE:
            _join(entity, rows)
            return
    if _distinct(rows.moments) >= FEWEST_KEYS:
        order = sorted(rows.fields, key=lambda name: (name != rows.argument, name != "id", name))
        key_field = next((name for name in order if rows.repeats(rows.argument, name)), None)
        entity = Entity(rows.namespace, rows.argument, key_field, rows.fields)
        _join(entity, rows)
        entities.append(entity)


def _join(entity: Entity, rows: _Rows) -> None:
    entity.tools[rows.tool] = rows.argument
    if rows.place:
        entity.places[rows.tool] = rows.place


def _place_other(choices: list[_Rows], entities: list[Entity]) -> None:
    ranked = [
        (-overlap(entity.fields, rows.fields), rows.argument != entity.argument, number, order)
        for number, entity in enumerate(entities)
        for order, rows in enumerate(choices)
        if entity.namespace == rows.namespace
        and overlap(entity.fields, rows.fields) >= ALIKE
        and _keys(entity, rows)
    ]
    if ranked:
        *_, number, order = min(ranked)
        _join(entities[number], choices[order])


def _keys(entity: Entity, rows: _Rows) -> bool:
    if entity.key_field is None:
        return rows.argument == entity.argument
    return rows.repeats(rows.argument, entity.key_field)


def _give_names(entities: list[Entity]) -> None:
    entities.sort(key=lambda e: (e.namespace, not entity_noun(e.argument), min(e.tools)))
    taken: set[str] = set()
    for entity in entities:
        base = plural(entity_noun(entity.argument) or _noun_of(min(entity.tools)))
        names = (base, f"{base}_by_{entity.argument}", f"{base}_{entity.namespace}")
        free = (name for name in names if name not in taken)
        entity.name = next(free, f"{base}_{len(taken)}")
        taken.add(entity.name)


def _noun_of(tool: str) -> str:
    parts = words(split_key(tool)[1])[1:]
    end = next((i for i, part in enumerate(parts) if part in _NAME_ENDS), len(parts))
    return "_".join(parts[:end]) or "row"
