"""References: every artifact that recorded events name, directly or through a manifest."""

import json
import re
from collections.abc import Iterable, Iterator

from envwright.events import Json, payload_reference
from envwright.events.errors import ArtifactError
from envwright.events.ports import ArtifactStore
from envwright.events.values import ArtifactRef

_FIELDS = {"digest", "size", "media_type"}
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MANIFEST = re.compile(r"application/vnd\.envwright\.[a-z]+\+json")


def references_in(value: Json) -> Iterator[ArtifactRef]:
    """Yield every artifact reference found anywhere in a JSON value."""
    if isinstance(value, dict):
        if value.keys() == _FIELDS and _DIGEST.fullmatch(str(value["digest"])):
            yield ArtifactRef.model_validate(value)
        else:
            for item in value.values():
                yield from references_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from references_in(item)


class ReferenceCheck:
    """Verifies the artifacts behind payloads, each once, following manifests to what they list."""

    def __init__(self, artifacts: ArtifactStore) -> None:
        self._artifacts = artifacts
        self._verified: set[str] = set()

    def check(self, payload: bytes) -> tuple[str, str] | None:
        """Return (expected, actual) of the first artifact that is missing or altered."""
        large = payload_reference(payload)
        if large is None:
            return self._check_named(payload)
        return self._follow(large) or self._check_named(self._artifacts.get(large.digest))

    def _check_named(self, body: bytes) -> tuple[str, str] | None:
        if b'"media_type"' not in body:
            return None
        return self._follow_all(references_in(json.loads(body)))

    def _follow_all(self, references: Iterable[ArtifactRef]) -> tuple[str, str] | None:
        return next(filter(None, map(self._follow, references)), None)

    def _follow(self, reference: ArtifactRef) -> tuple[str, str] | None:
        if reference.digest in self._verified:
            return None
        try:
            data = self._artifacts.get(reference.digest)
        except ArtifactError as error:
            return f"artifact {reference.digest}", str(error)
        if len(data) != reference.size:
            return f"artifact of {reference.size} bytes", f"{reference.digest} has {len(data)}"
        self._verified.add(reference.digest)
        if _MANIFEST.fullmatch(reference.media_type):
            return self._follow_all(_files_in(json.loads(data)))
        return None


def _files_in(manifest: Json) -> Iterator[ArtifactRef]:
    """Yield what a manifest lists: its files carry `sha256` and `size`."""
    for file in manifest.get("files", ()):
        yield ArtifactRef(digest=file["sha256"], size=file["size"])
