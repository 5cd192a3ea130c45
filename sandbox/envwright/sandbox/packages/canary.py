"""Canaries: text in every hidden document that must never be found in what a policy sees."""

import json
from collections.abc import Iterable, Mapping

from envwright.events import digest_bytes, encode
from envwright.events.errors import BadInputError
from envwright.sandbox.packages.assertions import Assertions
from envwright.sandbox.packages.blueprint import Blueprint
from envwright.sandbox.packages.descriptor import PackageFile
from envwright.sandbox.packages.solution import Solution

CANARY_PREFIX = "ENVWRIGHT-CANARY-"

CARRIERS = (PackageFile.PATH, Blueprint.PATH, Assertions.PATH, Solution.PATH)
"""Documents with a `canary` field; a solver sees none of them as a file."""


def canary_of(files: Mapping[str, bytes]) -> str:
    """Return the canary of normalised files: H(content without canaries), so no id enters it."""
    lines = []
    for path in sorted(files):
        data = _with_canary(path, files[path], "") if path in CARRIERS else files[path]
        lines.append(f"{path} {digest_bytes(data)}\n")
    return CANARY_PREFIX + digest_bytes("".join(lines).encode("utf-8"))[:24]


def with_canaries(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return normalised files with the package's canary in every document that carries one.

    Raises:
        BadInputError: such a document is no JSON object.
    """
    canary = canary_of(files)
    return {
        path: _with_canary(path, data, canary) if path in CARRIERS else data
        for path, data in files.items()
    }


def find_canaries(texts: Iterable[str]) -> tuple[str, ...]:
    """Return every text of `texts` that holds a canary of any package, cut to 80 characters."""
    return tuple(
        text[max(0, at - 20) : at + 60] for text in texts if (at := text.find(CANARY_PREFIX)) >= 0
    )


def _with_canary(path: str, data: bytes, canary: str) -> bytes:
    value = json.loads(data)
    if not isinstance(value, dict):
        raise BadInputError(f"{path}: expected a JSON object, got {type(value).__name__}")
    return encode({**value, "canary": canary}, nfc=True)
