"""Arguments of a call, checked against the tool's JSON Schema before a program sees them.

jsonschema decides. For schemas of plain types, which most tools have, a compiled check accepts good
arguments without asking it; whatever that check does not accept goes to jsonschema.

No schema can make a check slow: a `pattern` that `patterns` does not understand is not checked (see
`unchecked`), and as the name in `patternProperties` it makes the schema unusable.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import NoneType
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import extend, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from envwright.events.canonical import Json
from envwright.events.errors import BadInputError, CanonicalError
from envwright.events.values import ToolSchema
from envwright.sandbox.worlds.circumstances import Limits
from envwright.sandbox.worlds.json_values import (
    exceeds_bounds,
    has_long_text,
    identity,
    path_text,
    sized_canonical,
)
from envwright.sandbox.worlds.patterns import understood
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
_NAMING = frozenset(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"))
"""Keywords whose objects have names of our own as keys, not keywords."""
_VALUES = frozenset(("enum", "const", "default", "examples"))
"""Keywords with values, not schemas."""


class ArgumentContract:
    """What arguments a tool takes; compiled once, asked at every call."""

    def __init__(self, tool: ToolSchema, longest_text: int = Limits().text) -> None:
        """Compile the tool's schema; no text in the arguments may be longer than `longest_text`.

        Raises:
            BadInputError: the parameters are no JSON Schema, or refer to something elsewhere.
        """
        self._tool = tool.name
        self._longest_text = longest_text
        schema = _closed(tool.parameters)
        dialect = validator_for(schema, default=Draft202012Validator)
        try:
            dialect.check_schema(schema)
            _check_references(schema)
            _check_names(schema)
        except (SchemaError, Unresolvable) as error:
            reason = error.message if isinstance(error, SchemaError) else f"{error} leads nowhere"
            raise self._unusable(reason) from error
        if schema.get("type", "object") != "object":
            raise self._unusable(f"their type is {schema['type']!r}, and must be 'object'")
        self.names = tuple(sorted(schema.get("properties", {})))
        self._names_are_all = not _DECLARING & schema.keys()
        self._required = frozenset(schema.get("required", ()))
        self.unchecked = tuple(sorted(set(_unchecked(schema))))
        """The patterns of the schema that are not checked, since they may be slow."""
        # An empty registry has nothing but the schema itself: no schema is ever fetched.
        checking: Any = extend(dialect, _OWN_CHECKS)  # type: ignore[no-untyped-call]
        self._validator = checking(schema, registry=Registry())
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
            admitted: dict[str, Json]
            admitted, size = sized_canonical(arguments)
        except CanonicalError as error:
            raise self._refusal(f"arguments are no JSON: {error}") from error
        excess = exceeds_bounds(admitted)
        if excess:
            raise self._refusal(f"an argument {excess}")
        # A text is never longer than all arguments, and few calls need a second look.
        if size > self._longest_text and has_long_text(admitted, self._longest_text):
            raise self._refusal(
                f"an argument has a text of more than {self._longest_text} characters"
            )
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
    for part in _schemas(schema):
        if isinstance(part.get("$ref"), str):
            resolver.lookup(part["$ref"])


def _check_names(schema: dict[str, Json]) -> None:
    for part in _schemas(schema):
        for name in part.get("patternProperties", {}):
            pattern = understood(name)
            if pattern is None or not pattern.is_quick:
                raise SchemaError(f"the pattern {name!r} in `patternProperties` may be slow")


def _unchecked(schema: dict[str, Json]) -> Iterator[str]:
    for part in _schemas(schema):
        if isinstance(part.get("pattern"), str) and understood(part["pattern"]) is None:
            yield part["pattern"]


def _schemas(part: Json) -> Iterator[dict[str, Json]]:
    """Yield a schema and all schemas inside; what stands where values do is none."""
    if isinstance(part, dict):
        yield part
        for keyword, inner in part.items():
            if keyword in _NAMING and isinstance(inner, dict):
                inner = list(inner.values())
            if keyword not in _VALUES:
                yield from _schemas(inner)
    if isinstance(part, list):
        for inner in part:
            yield from _schemas(inner)


def _matches(validator: Any, wanted: str, text: Json, schema: Json) -> Iterator[ValidationError]:
    pattern = understood(wanted)
    if isinstance(text, str) and pattern is not None and not pattern.is_in(text):
        yield ValidationError(f"{text!r} does not match {wanted!r}")


def _differ(validator: Any, wanted: bool, items: Json, schema: Json) -> Iterator[ValidationError]:
    # jsonschema compares each with each.
    if wanted and isinstance(items, list) and len(set(map(identity, items))) < len(items):
        yield ValidationError(f"{items!r} has non-unique elements")


_OWN_CHECKS: Mapping[str, Callable[..., Iterable[ValidationError]]] = {
    "pattern": _matches,
    "uniqueItems": _differ,
}


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
