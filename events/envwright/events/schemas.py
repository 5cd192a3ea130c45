"""JSON Schemas of every event, generated from the catalog."""

from typing import Any

from pydantic import TypeAdapter

from envwright.events.catalog import FACTS, AnyFact
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
    schemas = {
        f"{name}.v{fact.model_fields['schema_version'].default}": event_schema(name)
        for name, fact in sorted(FACTS.items())
    }
    schemas["envelope"] = Envelope.model_json_schema(mode="serialization")
    schemas["fact"] = TypeAdapter(AnyFact).json_schema(mode="serialization")
    return schemas
