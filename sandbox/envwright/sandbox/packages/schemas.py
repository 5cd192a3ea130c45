"""JSON Schemas of the package's documents, generated from their models."""

from typing import Any

from envwright.sandbox.packages.assertions import Assertions
from envwright.sandbox.packages.blueprint import Blueprint
from envwright.sandbox.packages.descriptor import PackageFile
from envwright.sandbox.packages.document import Document
from envwright.sandbox.packages.provenance import Provenance
from envwright.sandbox.packages.solution import Solution

DOCUMENTS: tuple[type[Document], ...] = (PackageFile, Blueprint, Assertions, Solution, Provenance)
"""Every JSON document of a package whose format does not depend on the kind of world."""


def package_schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each document by its path in the package folder."""
    return {
        document.PATH: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:envwright:package:{document.PATH}:"
            f"v{document.model_fields['schema_version'].default}",
            **document.model_json_schema(mode="validation", by_alias=True),
        }
        for document in DOCUMENTS
    }
