"""The meaning of expressions that build objects and texts, or choose."""

import unicodedata

from envwright.events.canonical import Json
from envwright.sandbox.worlds.interpreter.evaluation import (
    all_taken,
    evaluate,
    key_text,
    rule,
    taken,
    turns,
)
from envwright.sandbox.worlds.interpreter.frames import Frame
from envwright.sandbox.worlds.json_values import canonical_bytes
from envwright.sandbox.worlds.programs import (
    Coalesce,
    Entries,
    If,
    ListOf,
    MappingOf,
    Merged,
    ObjectOf,
    Text,
    Without,
)
from envwright.sandbox.worlds.refusal import Absence, Refusal


def in_order(fields: dict[str, Json]) -> dict[str, Json]:
    """Return an object with its fields in canonical order."""
    return {name: fields[name] for name in sorted(fields)}


@rule(ObjectOf)
def _object(expr: ObjectOf, frame: Frame) -> Json:
    return {name: evaluate(expr.fields[name], frame) for name in sorted(expr.fields)}


@rule(ListOf)
def _list(expr: ListOf, frame: Frame) -> Json:
    return [evaluate(item, frame) for item in expr.items]


@rule(MappingOf)
def _mapping(expr: MappingOf, frame: Frame) -> Json:
    fields = {}
    for _, inner in turns(expr, taken(expr, "of", frame), frame):
        fields[key_text(taken(expr, "name", inner))] = evaluate(expr.value, inner)
    return in_order(fields)


@rule(Merged)
def _merged(expr: Merged, frame: Frame) -> Json:
    fields: dict[str, Json] = {}
    for part in all_taken(expr, "objects", frame):
        frame.transaction.spend(len(part))
        fields.update(part)
    return in_order(fields)


@rule(Without)
def _without(expr: Without, frame: Frame) -> Json:
    fields = taken(expr, "of", frame)
    frame.transaction.spend(len(fields))
    return {name: fields[name] for name in fields if name not in expr.fields}


@rule(Entries)
def _entries(expr: Entries, frame: Frame) -> Json:
    fields = taken(expr, "of", frame)
    frame.transaction.spend(len(fields))
    return [{"key": name, "value": fields[name]} for name in fields]


@rule(Text)
def _text(expr: Text, frame: Frame) -> Json:
    parts = [written(part) for part in all_taken(expr, "items", frame)]
    size = sum(map(len, parts))
    frame.transaction.spend(size >> 8)
    if size > frame.transaction.limits.text:
        raise Refusal(
            f"Error: a text would have more than {frame.transaction.limits.text} characters"
        )
    text = "".join(parts)
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def written(value: Json) -> str:
    """Return a text or a number as it stands in a text."""
    return value if isinstance(value, str) else canonical_bytes(value).decode("ascii")


@rule(Coalesce)
def _coalesce(expr: Coalesce, frame: Frame) -> Json:
    for option in expr.options:
        try:
            value = evaluate(option, frame)
        except Absence:
            continue
        if value is not None:
            return value
    return None


@rule(If)
def _if(expr: If, frame: Frame) -> Json:
    return evaluate(expr.then if taken(expr, "holds", frame) else expr.otherwise, frame)
