"""Tool manifests: OpenAI function declarations, and MCP tool lists, which say the same."""

from collections.abc import Iterable

from envwright.events.canonical import Json
from envwright.recipes.toolspace.calls import Declaration

_SCHEMA_FIELDS = ("parameters", "inputSchema", "input_schema")


def declarations_of(value: Json) -> list[Json] | None:
    """Return the tool declarations of an element, or None if it declares none."""
    if isinstance(value, dict) and isinstance(value.get("tools"), list) and "role" not in value:
        tools = [tool for tool in value["tools"] if _function(tool) is not None]
        return tools or None
    return [value] if _function(value) is not None else None


def read_declarations(values: Iterable[Json]) -> tuple[Declaration, ...]:
    """Read declarations; each is known to be one."""
    result = []
    for value in values:
        function = _function(value)
        if function is None:
            continue
        description = function.get("description")
        result.append(
            Declaration(
                name=function["name"],
                description=description if isinstance(description, str) else "",
                parameters=_schema(function),
                effect=_effect(value, function),
            )
        )
    return tuple(result)


def _function(value: Json) -> dict[str, Json] | None:
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    function: dict[str, Json] = inner if isinstance(inner, dict) else value
    named = isinstance(function.get("name"), str) and function["name"]
    if not named or "role" in function or not any(f in function for f in _SCHEMA_FIELDS):
        return None
    return function


def _schema(function: dict[str, Json]) -> dict[str, Json]:
    schemas = (function[f] for f in _SCHEMA_FIELDS if isinstance(function.get(f), dict))
    schema: dict[str, Json] = next(schemas, {})
    properties = schema.get("properties")
    fields = properties if isinstance(properties, dict) else {}
    return {"type": "object", **schema, "properties": fields}


def _effect(value: dict[str, Json], function: dict[str, Json]) -> str:
    hints = function.get("annotations")
    if isinstance(hints, dict) and isinstance(hints.get("readOnlyHint"), bool):
        return "read" if hints["readOnlyHint"] else "write"
    effect = function.get("effect", value.get("effect"))
    return effect if effect in ("read", "write") else ""
