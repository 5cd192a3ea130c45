"""JSON Schemas of every event, generated from the catalog."""

from typing import Any

from pydantic import TypeAdapter

from envwright.events.canonical import Json, digest
from envwright.events.catalog import FACTS, AnyFact, Fact
from envwright.events.envelope import Envelope


def event_schema(event_type: str) -> dict[str, Any]:
    """Return the JSON Schema of one event type's current version (type, version and data)."""
    schema = FACTS[event_type].model_json_schema(mode="serialization")
    version = FACTS[event_type].model_fields["schema_version"].default
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:envwright:event:{event_type}:v{version}",
        **schema,
    }


def all_schemas() -> dict[str, dict[str, Any]]:
    """Return every event's schema by `<type>.v<version>`, with the envelope and the union."""
    schemas = {schema_name(fact): event_schema(name) for name, fact in sorted(FACTS.items())}
    schemas["envelope"] = Envelope.model_json_schema(mode="serialization")
    schemas["fact"] = TypeAdapter(AnyFact).json_schema(mode="serialization")
    return schemas


def schema_name(fact: type[Fact]) -> str:
    """Return `<type>.v<version>` of a fact class."""
    fields = fact.model_fields
    return f"{fields['type'].default}.v{fields['schema_version'].default}"


def schema_fingerprint(fact: type[Fact]) -> str:
    """Return the digest of what a fact class demands of its data; words about it do not count."""
    return digest(_without_words(fact.model_json_schema(mode="serialization")))


def _without_words(schema: Json) -> Json:
    if isinstance(schema, list):
        return [_without_words(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    # A field may be called `title`: then what stands there is a schema, not a text.
    return {
        name: value if name in ("default", "const", "enum") else _without_words(value)
        for name, value in schema.items()
        if name not in ("title", "description") or not isinstance(value, str)
    }
