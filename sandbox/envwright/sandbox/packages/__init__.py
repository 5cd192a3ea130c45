"""Packages: the folder format, its documents, revision digests and canaries."""

from envwright.sandbox.packages.assertions import (
    AnswerAssertion,
    Assertions,
    FrameAssertion,
    StateAssertion,
    StatePath,
)
from envwright.sandbox.packages.blueprint import (
    Blueprint,
    BlueprintFact,
    BoundaryRule,
    Criterion,
    Visibility,
)
from envwright.sandbox.packages.bundle import MANIFEST_TYPE, Bundle, read_provenance
from envwright.sandbox.packages.canary import CANARY_PREFIX, CARRIERS, canary_of, find_canaries
from envwright.sandbox.packages.descriptor import PackageFile
from envwright.sandbox.packages.document import Document
from envwright.sandbox.packages.paths import PROVENANCE, package_path, safe_path
from envwright.sandbox.packages.provenance import Parent, Provenance, ProvenanceEvent
from envwright.sandbox.packages.revision import ManifestEntry
from envwright.sandbox.packages.schemas import DOCUMENTS, package_schemas
from envwright.sandbox.packages.solution import Solution

__all__ = [
    "CANARY_PREFIX",
    "CARRIERS",
    "DOCUMENTS",
    "MANIFEST_TYPE",
    "PROVENANCE",
    "AnswerAssertion",
    "Assertions",
    "Blueprint",
    "BlueprintFact",
    "BoundaryRule",
    "Bundle",
    "Criterion",
    "Document",
    "FrameAssertion",
    "ManifestEntry",
    "PackageFile",
    "Parent",
    "Provenance",
    "ProvenanceEvent",
    "Solution",
    "StateAssertion",
    "StatePath",
    "Visibility",
    "canary_of",
    "find_canaries",
    "package_path",
    "package_schemas",
    "read_provenance",
    "safe_path",
]
