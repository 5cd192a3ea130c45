"""Arguments of a call, checked against the tool's JSON Schema before a program sees them.

jsonschema decides. For schemas of plain types, which most tools have, a compiled check accepts good
arguments without asking it; whatever that check does not accept goes to jsonschema.
"""

from collections.abc import Callable, Iterator
from types import NoneType
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError, CanonicalError
from envwright.events.values import ToolSchema
from envwright.sandbox.worlds.json_values import canonical, exceeds_bounds, path_text
from envwright.sandbox.worlds.refusal import Refusal

Check = Callable[[Any], bool]

_NOTES = frozenset(("title", "description", "default", "examples", "$comment", "deprecated"))
_TYPES: dict[str, frozenset[type]] = {
    "string": frozenset((str,)),
    "integer": frozenset((int,)),
    "number": frozenset((int, float)),
    "boolean": frozenset((bool,)),
    "null": frozenset((NoneType,)),
    "object": frozenset((dict,)),
    "array": frozenset((list,)),
}
_COMPOSING = frozenset(("$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"))
_DECLARING = _COMPOSING | {"patternProperties"}
"""Keywords by which a schema declares arguments elsewhere than in its `properties`."""


class ArgumentContract:
    """What arguments a tool takes; compiled once, asked at every call."""

    def __init__(self, tool: ToolSchema) -> None:
        """Compile the tool's schema.

        Raises:
            BadInputError: the parameters are no JSON Schema, or refer to something elsewhere.
        """
        self._tool = tool.name
        schema = _closed(tool.parameters)
        dialect = validator_for(schema, default=Draft202012Validator)
        try:
            dialect.check_schema(schema)
            _check_references(schema)
        except (SchemaError, Unresolvable) as error:
            reason = error.message if isinstance(error, SchemaError) else f"{error} leads nowhere"
            raise self._unusable(reason) from error
        if schema.get("type", "object") != "object":
            raise self._unusable(f"their type is {schema['type']!r}, and must be 'object'")
        self.names = tuple(sorted(schema.get("properties", {})))
        self._names_are_all = not _DECLARING & schema.keys()
        self._required = frozenset(schema.get("required", ()))
        # An empty registry has nothing but the schema itself: no schema is ever fetched.
        self._validator = dialect(schema, registry=Registry())
        self._accepts = _plain_object(schema)

    def may_take(self, name: str) -> bool:
        """Say whether an argument of this name may come."""
        return name in self.names or not self._names_are_all

    def admit(self, arguments: Json) -> dict[str, Json]:
        """Return a canonical copy of the arguments of a call.

        Raises:
            Refusal: they do not fit the schema, or are no JSON object.
        """
        if not isinstance(arguments, dict):
            raise self._refusal(f"arguments are an object, not {type(arguments).__name__}")
        try:
            admitted: dict[str, Json] = canonical(arguments)
        except CanonicalError as error:
            raise self._refusal(f"arguments are no JSON: {error}") from error
        excess = exceeds_bounds(admitted)
        if excess:
            raise self._refusal(f"an argument {excess}")
        if not self._accepts(admitted):
            self._ask(admitted)
        return admitted

    def _ask(self, arguments: dict[str, Json]) -> None:
        try:
            errors = list(self._validator.iter_errors(arguments))
        except (ArithmeticError, RecursionError) as error:
            raise self._refusal(f"arguments cannot be checked: {error}") from error
        if errors:
            first = min(errors, key=lambda e: ([str(step) for step in e.path], str(e.validator)))
            raise self._refusal(self._explain(first, arguments))

    def _explain(self, error: ValidationError, arguments: dict[str, Json]) -> str:
        place = path_text(tuple(error.absolute_path))
        if place:
            return f"argument {place}: {error.message:.200}"
        if error.validator == "required":
            return f"missing argument {', '.join(sorted(self._required - arguments.keys()))}"
        if error.validator == "additionalProperties" and self._names_are_all:
            unknown = ", ".join(sorted(arguments.keys() - set(self.names)))
            return f"unknown argument {unknown:.200}; it takes {', '.join(self.names) or 'none'}"
        return f"{error.message:.200}"

    def _unusable(self, reason: str) -> BadInputError:
        return BadInputError(
            f"tool {self._tool}: its parameters are no usable JSON Schema: {reason:.200}"
        )

    def _refusal(self, reason: str) -> Refusal:
        return Refusal(f"Error: {self._tool}: {reason}")


def _closed(parameters: dict[str, Json]) -> dict[str, Json]:
    # What a tool does not declare is a mistake of the caller, unless the schema says otherwise.
    composed = _COMPOSING & parameters.keys()
    return {"unevaluatedProperties" if composed else "additionalProperties": False, **parameters}


def _check_references(schema: dict[str, Json]) -> None:
    resource = DRAFT202012.create_resource(schema)
    resolver = Registry().with_resource("", resource).resolver("")
    for reference in _references(schema):
        resolver.lookup(reference)


def _references(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def _plain_object(schema: dict[str, Json]) -> Check:
    properties = {name: _plain(part) for name, part in schema.get("properties", {}).items()}
    required = schema.get("required", ())
    keywords = schema.keys() - _NOTES - {"properties", "required"}
    if keywords != {"type", "additionalProperties"} or schema["additionalProperties"] is not False:
        return _never

    def accepts(arguments: dict[str, Json]) -> bool:
        return all(name in arguments for name in required) and all(
            name in properties and properties[name](value) for name, value in arguments.items()
        )

    return accepts


def _plain(schema: Json) -> Check:
    keywords = schema.keys() - _NOTES if isinstance(schema, dict) else set()
    kind = schema["type"] if "type" in keywords else None
    if not isinstance(kind, str):
        return _never
    types = _TYPES[kind]
    if keywords == {"type"}:
        return lambda value: type(value) in types
    if keywords == {"type", "items"} and kind == "array":
        item = _plain(schema["items"])
        return lambda value: type(value) is list and all(map(item, value))
    return _never


def _never(value: Json) -> bool:
    return False
