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
# Canonical JSON has one form of a reference, and no text can hold its bare quotes.
_NAMED = re.compile(rb'\{"digest":"[0-9a-f]{64}","media_type":"[^"\\]*","size":[0-9]+\}')
_HINT = b'"media_type"'

_KEPT = 200_000
"""References that are remembered; past them all is forgotten, and read again where named again."""


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
        self._verified: set[tuple[str, int, bool]] = set()
        self._seen: set[bytes] = set()
        self.verified = 0
        """How many artifacts were read and found to be what their digest says."""

    def check(self, payload: bytes) -> tuple[str, str] | None:
        """Return (expected, actual) of the first artifact that is missing or altered."""
        large = payload_reference(payload)
        if large is None:
            return self._check_named(payload)
        return self._follow(large) or self._check_named(self._artifacts.get(large.digest))

    def _check_named(self, body: bytes) -> tuple[str, str] | None:
        mentions = body.count(_HINT)
        if not mentions:
            return None
        named = _NAMED.findall(body)
        if len(named) != mentions:  # Something like a reference: look at all of it.
            return self._follow_all(references_in(json.loads(body)))
        for text in named:
            if text not in self._seen:
                failure = self._follow(ArtifactRef.model_validate_json(text))
                if failure is not None:
                    return failure
                self._remember(text)
        return None

    def _remember(self, text: bytes) -> None:
        if len(self._seen) + len(self._verified) > _KEPT:
            self._seen.clear()
            self._verified.clear()
        self._seen.add(text)

    def _follow_all(self, references: Iterable[ArtifactRef]) -> tuple[str, str] | None:
        return next(filter(None, map(self._follow, references)), None)

    def _follow(self, reference: ArtifactRef) -> tuple[str, str] | None:
        lists_files = _MANIFEST.fullmatch(reference.media_type) is not None
        claim = (reference.digest, reference.size, lists_files)
        if claim in self._verified:
            return None
        try:
            data = self._artifacts.get(reference.digest)
        except ArtifactError as error:
            return f"artifact {reference.digest}", str(error)
        if len(data) != reference.size:
            return f"artifact of {reference.size} bytes", f"{reference.digest} has {len(data)}"
        self._verified.add(claim)
        self.verified += 1
        return self._follow_all(_files_in(json.loads(data))) if lists_files else None


def _files_in(manifest: Json) -> Iterator[ArtifactRef]:
    """Yield what a manifest lists: its files carry `sha256` and `size`."""
    for file in manifest.get("files", ()):
        yield ArtifactRef(digest=file["sha256"], size=file["size"])
