"""Entities: which tools give back whole rows of one kind, and which argument is the row's key."""

from collections import Counter
from dataclasses import dataclass, field

from envwright.events.canonical import Json
from envwright.recipes.toolspace.mining.history import History, Moment
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.values import (
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

    def key(self, call_tool: str, arguments: dict[str, Json]) -> str | None:
        """Return the key of the row that a call is about, or None."""
        value = arguments.get(self.tools.get(call_tool, ""))
        return key_text(value) if is_key_value(value) else None


def find_entities(history: History) -> list[Entity]:
    """Return the entities, sorted by name; every tool gives rows of one entity at most."""
    rows = {tool: _row_moments(history, tool) for tool in history.tools}
    entities: list[Entity] = []
    single = [t for t in history.tools if rows[t] and _one_argument(history, t)]
    for tool in sorted(single, key=lambda t: (-_distinct(rows[t]), t)):
        _place_single(tool, history.argument_names(tool)[0], rows[tool], entities)
    for tool in history.tools:
        if rows[tool] and len(history.argument_names(tool)) > 1:
            _place_other(tool, history.argument_names(tool), rows[tool], entities)
    _give_names(entities)
    return sorted(entities, key=lambda entity: entity.name)


def _one_argument(history: History, tool: str) -> bool:
    names = history.argument_names(tool)
    return len(names) == 1 and names != [""]


def _row_moments(history: History, tool: str) -> list[Moment]:
    good = history.successes(tool)
    rows = [moment for moment in good if isinstance(moment.call.value, dict) and moment.call.value]
    return rows if len(rows) >= MOSTLY * len(good) else []


def _distinct(moments: list[Moment]) -> int:
    return len({key_text(v) for m in moments for v in m.call.arguments.values() if is_key_value(v)})


def _fields(moments: list[Moment]) -> frozenset[str]:
    counts = Counter(name for moment in moments for name in moment.call.value)
    return frozenset(name for name, count in counts.items() if 2 * count > len(moments))


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of names that two sets have in common."""
    return len(left & right) / len(left | right) if left or right else 0.0


def _repeats(moments: list[Moment], argument: str, name: str) -> bool:
    hits = [
        name in m.call.value and same(m.call.value[name], m.call.arguments.get(argument))
        for m in moments
    ]
    return sum(hits) >= MOSTLY * len(hits)


def _place_single(tool: str, argument: str, moments: list[Moment], entities: list[Entity]) -> None:
    namespace, _ = split_key(tool)
    fields = _fields(moments)
    for entity in entities:
        if (entity.namespace, entity.argument) != (namespace, argument):
            continue
        if overlap(entity.fields, fields) >= ALIKE:
            entity.tools[tool] = argument
            return
    if _distinct(moments) >= FEWEST_KEYS:
        order = sorted(fields, key=lambda name: (name != argument, name != "id", name))
        key_field = next((name for name in order if _repeats(moments, argument, name)), None)
        entities.append(Entity(namespace, argument, key_field, fields, {tool: argument}))


def _place_other(
    tool: str, arguments: list[str], moments: list[Moment], entities: list[Entity]
) -> None:
    namespace, _ = split_key(tool)
    fields = _fields(moments)
    choices = [
        (-overlap(entity.fields, fields), argument != entity.argument, number, argument)
        for number, entity in enumerate(entities)
        if entity.namespace == namespace and overlap(entity.fields, fields) >= ALIKE
        for argument in arguments
        if _keys(entity, argument, moments)
    ]
    if choices:
        _, _, number, argument = min(choices)
        entities[number].tools[tool] = argument


def _keys(entity: Entity, argument: str, moments: list[Moment]) -> bool:
    if entity.key_field is None:
        return argument == entity.argument
    return _repeats(moments, argument, entity.key_field)


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
