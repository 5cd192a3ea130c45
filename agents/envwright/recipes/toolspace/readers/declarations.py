"""Declarations of tools: OpenAI, MCP, Anthropic and Gemini functions, and bare JSON Schemas."""

from collections.abc import Iterator
from typing import Any, Final

from envwright.events.canonical import Json, digest, digest_bytes
from envwright.recipes.toolspace.calls import Declaration, Manifest
from envwright.recipes.toolspace.readers.jsontext import UnusableError, canonical
from envwright.recipes.toolspace.readers.skips import Skips

_SCHEMA_FIELDS: Final = ("parameters", "inputSchema", "input_schema")
_LIST_FIELDS: Final = ("tools", "functions", "functionDeclarations", "function_declarations")

_SHARED: Final = 0.5
"""Share of the smaller list's tools that two lists without a service must share (ours)."""

Tools = dict[str, Declaration]
"""Tools by their name."""


def declared_in(value: Json, room: int = 2) -> list[Json]:
    """Return the raw declarations in a list of tools, or in an object that holds such a list."""
    if room == 0:
        return []
    if isinstance(value, dict):
        held = next((value[name] for name in _LIST_FIELDS if value.get(name)), None)
        if isinstance(held, dict):
            held = [{"name": n, **t} for n, t in held.items() if isinstance(t, dict)]
        value = held
    if not isinstance(value, list):
        return []
    return [tool for item in value for tool in _flat(item, room - 1)]


def is_declaration(value: Json) -> bool:
    """Say whether a value declares a tool."""
    return _named_function(value) is not None


def service_of(value: Json) -> str:
    """Return the service that a value names."""
    service = value.get("service") if isinstance(value, dict) else None
    return service if isinstance(service, str) else ""


def read_declaration(value: Json) -> Declaration:
    """Read a declaration.

    Raises:
        UnusableError: it is none, or its schema is no JSON.
    """
    found = _named_function(value)
    if found is None:
        raise UnusableError("it declares no tool")
    name, function = found
    description = function.get("description")
    return Declaration(
        name=canonical(name),
        description=canonical(description) if isinstance(description, str) else "",
        parameters=_schema(function),
        effect=_effect(value, function),
    )


class ToolLists:
    """The lists of tools of one source: what of them is equal or belongs together is one manifest.

    Lists of one service do. Without a service, lists do that agree on the tools which they share,
    if that is at least half of the smaller one.
    """

    def __init__(self, skips: Skips) -> None:
        self._skips = skips
        self._seen: set[tuple[str, str]] = set()
        self._lists: list[tuple[str, Tools]] = []

    def add(self, place: str, service: str, values: list[Json]) -> None:
        """Take a list of declarations as a source holds it; it may come many times."""
        mark = _mark(values)
        if mark and (service, mark) in self._seen:
            return
        self._seen.add((service, mark))
        by_service: dict[str, Tools] = {}
        for value in values:
            try:
                tool = read_declaration(value)
            except UnusableError as error:
                self._skips.add(place, f"a tool that is no declaration: {error}")
                continue
            own = service_of(value) or service_of(value.get("function")) or service
            known = by_service.setdefault(own, {}).setdefault(tool.name, tool)
            if known != tool:
                self._skips.add(place, f"tool {tool.name!r:.60} is declared twice, differently")
        self._lists += by_service.items()

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the manifests, in an order that does not depend on the order of the lists."""
        merged: list[tuple[str, Tools]] = []
        for service, tools in sorted(self._lists, key=_order):
            home = next((t for s, t in merged if s == service and (s or _agree(t, tools))), None)
            if home is None:
                merged.append((service, dict(tools)))
            else:
                home |= {name: tool for name, tool in tools.items() if name not in home}
        return tuple(Manifest(s, tuple(t[name] for name in sorted(t))) for s, t in merged)


def _flat(item: Json, room: int) -> Iterator[Json]:
    # Gemini's lists hold lists.
    listed = isinstance(item, dict) and not is_declaration(item)
    inner = declared_in(item, room) if listed else []
    yield from inner or [item]


def _named_function(value: Json) -> tuple[str, dict[str, Json]] | None:
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    function = inner if isinstance(inner, dict) else value
    name = function.get("name") or function.get("title")
    if not isinstance(name, str) or "role" in function or "arguments" in function:
        return None
    # A function without parameters may leave them out; only its kind tells it from other things.
    known = value.get("type") == "function" or isinstance(_raw_schema(function), dict)
    return (name, function) if known else None


def _raw_schema(function: dict[str, Json]) -> Json:
    for field in _SCHEMA_FIELDS:
        if field in function:
            return function[field] or {}
    bare = isinstance(function.get("properties"), dict) and function.get("type") in (None, "object")
    kept = ("type", "properties", "required", "additionalProperties", "$defs")
    return {name: function[name] for name in kept if name in function} if bare else None


def _schema(function: dict[str, Json]) -> dict[str, Any]:
    schema = canonical(_raw_schema(function) or {})
    if not isinstance(schema, dict):
        raise UnusableError("its schema is no object")
    properties = schema.get("properties")
    fields = properties if isinstance(properties, dict) else {}
    return {"type": "object", **schema, "properties": fields}


def _effect(value: dict[str, Json], function: dict[str, Json]) -> str:
    effect = function.get("effect", value.get("effect"))
    if effect in ("read", "write"):
        return str(effect)
    hints = function.get("annotations")
    if isinstance(hints, dict) and isinstance(hints.get("readOnlyHint"), bool):
        return "read" if hints["readOnlyHint"] else "write"
    return ""


def _mark(values: list[Json]) -> str:
    try:
        return digest_bytes(repr(values).encode(errors="surrogatepass"))
    except RecursionError:
        return ""


def _order(item: tuple[str, Tools]) -> tuple[str, int, str]:
    service, tools = item
    shown = [[t.name, t.description, t.parameters, t.effect] for _, t in sorted(tools.items())]
    return service, -len(tools), digest(shown)


def _agree(left: Tools, right: Tools) -> bool:
    shared = left.keys() & right.keys()
    enough = len(shared) >= _SHARED * min(len(left), len(right))
    return enough and all(left[name] == right[name] for name in shared)
