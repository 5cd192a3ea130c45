"""Worlds, packages, gates, verifiers and isolation."""

from envwright.events.extras import require

require("sandbox", "jsonschema", "referencing")
