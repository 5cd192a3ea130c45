"""Schemas: what a tool's arguments look like, declared by a manifest or inferred from calls."""

from collections.abc import Iterable
from typing import Any

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError
from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Call, Declaration
from envwright.recipes.toolspace.mining.namespaces import split_key
from envwright.recipes.toolspace.values import canonical_bytes, entity_noun, identity, words
from envwright.sandbox.worlds import open_world

CLOCK = "2024-01-01T00:00:00Z"
"""Logs do not show the clock that tools saw; every world of this recipe stands at this one."""

FEW = 6
"""At most this many distinct texts make an enumeration (ours) …"""

SEEN_EACH = 5
"""… if each was seen this often on average (ours)."""

_TYPES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)
"""Booleans come first: Python takes them for whole numbers."""


def schema_of(key: str, calls: Iterable[Call], declared: Declaration | None) -> ToolSchema:
    """Return the tool as a solver will see it, under its bare name.

    A declared schema is kept if a world can check arguments with it; what calls gave beyond it is
    added, for the tool took it.
    """
    _, name = split_key(key)
    inferred = _inferred(calls)
    if declared is None:
        return ToolSchema(name=name, description=_description(name), parameters=inferred)
    description = declared.description or _description(name)
    own = declared.parameters
    properties = {**inferred["properties"], **own["properties"]}
    schema = ToolSchema(
        name=name, description=description, parameters={**own, "properties": properties}
    )
    return schema if _usable(schema) else schema.model_copy(update={"parameters": inferred})


def _usable(schema: ToolSchema) -> bool:
    programs = {schema.name: {"op": "constant", "value": None}}
    files = {"tables.json": {}, "programs.json": programs, "world.json": {"clock": CLOCK}}
    encoded = {name: canonical_bytes(value) for name, value in files.items()}
    try:
        open_world("tables", (schema,), encoded).close()
    except BadInputError:
        return False
    return True


def _description(name: str) -> str:
    said = " ".join(words(name))
    return f"{said[:1].upper()}{said[1:]}." if said else name


def _inferred(calls: Iterable[Call]) -> dict[str, Any]:
    recorded = list(calls)
    good = [call.arguments for call in recorded if call.ok] or [c.arguments for c in recorded]
    names = sorted({name for arguments in good for name in arguments})
    return {
        "type": "object",
        "properties": {
            name: _property([args[name] for args in good if name in args], bool(entity_noun(name)))
            for name in names
        },
        "required": [name for name in names if all(name in arguments for arguments in good)],
        "additionalProperties": False,
    }


def _property(values: list[Json], names_an_id: bool) -> dict[str, Any]:
    types = sorted({_type(value) for value in values})
    if types == ["integer", "number"]:
        types = ["number"]
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    if types == ["array"]:
        items = [item for value in values for item in value]
        if items:
            schema["items"] = _property(items, names_an_id)
    elif types == ["string"] and not names_an_id:
        # Ids are not listed: which there are is for a solver to find out.
        distinct = {identity(value): value for value in values}
        if len(distinct) <= FEW and len(values) >= SEEN_EACH * len(distinct):
            schema["enum"] = sorted(distinct.values())
    return schema


def _type(value: Json) -> str:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "null")
