"""Canonical JSON and digests: one value has one byte form, on every machine and in every run."""

import hashlib
import json
import math
import unicodedata
from typing import Any

from envwright.events.errors import CanonicalError

# Doubles hold every integer up to 2**53, so an integral float below it is that integer.
_EXACT_INTEGER = 2**53

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with text keys."""


def _number(value: float) -> int | float:
    if not math.isfinite(value):
        raise CanonicalError(f"{value!r} is not a JSON number; send null or text instead")
    if value.is_integer() and abs(value) < _EXACT_INTEGER:
        return int(value)
    return value


def _mapping(value: dict[Any, Any], nfc: bool) -> dict[str, Json]:
    result: dict[str, Json] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise CanonicalError(f"key {key!r} is {type(key).__name__}; JSON keys are text")
        name = unicodedata.normalize("NFC", key) if nfc and not key.isascii() else key
        if name in result:
            raise CanonicalError(f"keys that are equal after NFC: {name!r}")
        result[name] = normalise(item, nfc=nfc)
    return result


def normalise(value: Json, *, nfc: bool = True) -> Json:
    """Return `value` with one form per number (25.0 is 25) and, if `nfc`, per text.

    Raises:
        CanonicalError: NaN, an infinity, a key that is not text, or a value that is not JSON.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value) if nfc and not value.isascii() else value
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        return _mapping(value, nfc)
    if isinstance(value, list | tuple):
        return [normalise(item, nfc=nfc) for item in value]
    raise CanonicalError(f"{type(value).__name__} is not a JSON value: {value!r:.80}")


def encode(value: Json, *, nfc: bool = False) -> bytes:
    """Return the canonical bytes of `value`: sorted keys, no spaces, ASCII with escapes.

    Text is kept verbatim unless `nfc`; lone surrogates and NUL survive as escapes.
    """
    return json.dumps(
        normalise(value, nfc=nfc), sort_keys=True, separators=(",", ":"), allow_nan=False
    ).encode("ascii")


def digest_bytes(data: bytes) -> str:
    """Return the sha256 of `data` as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Json) -> str:
    """Return the sha256 of the canonical form of `value`, text in NFC, as 64 hex digits."""
    return digest_bytes(encode(value, nfc=True))


def equal(left: Json, right: Json) -> bool:
    """Say whether two JSON values are one value (numbers by value, text in NFC)."""
    return encode(left, nfc=True) == encode(right, nfc=True)
