"""Canonical JSON and digests: one value has one byte form, on every machine and in every run."""

import hashlib
import json
import math
import unicodedata
from typing import Any

from envwright.events.errors import CanonicalError

# Doubles hold every integer up to 2**53, so an integral float below it is that integer.
_EXACT_INTEGER = 2**53

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)

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
        result[name] = _normal(item, nfc)
    return result


def normalise(value: Json, *, nfc: bool = True) -> Json:
    """Return `value` with one form per number (25.0 is 25) and, if `nfc`, per text.

    Raises:
        CanonicalError: NaN, an infinity, a key that is not text, or a value that is not JSON.
    """
    return _normal(value, nfc)


def _normal(value: Json, nfc: bool) -> Json:
    """Dispatch on the exact type first: most values are plain, and this is the hot path."""
    kind = type(value)
    if kind is str:
        return value if not nfc or value.isascii() else unicodedata.normalize("NFC", value)
    if kind is int or kind is bool or value is None:
        return value
    if kind is dict:
        return _mapping(value, nfc)
    if kind is list or kind is tuple:
        return [_normal(item, nfc) for item in value]
    if kind is float:
        return _number(value)
    return _subclass(value, nfc)


def _subclass(value: Json, nfc: bool) -> Json:
    """Normalise a value of a subclass of a JSON type, such as a str enum."""
    base: type[Any]
    for base in (int, float, str, dict, list, tuple):
        if isinstance(value, base):
            return _normal(base(value), nfc)
    raise CanonicalError(f"{type(value).__name__} is not a JSON value: {value!r:.80}")


def encode(value: Json, *, nfc: bool = False) -> bytes:
    """Return the canonical bytes of `value`: sorted keys, no spaces, ASCII with escapes.

    Text is kept verbatim unless `nfc`; lone surrogates and NUL survive as escapes.
    """
    return _ENCODER.encode(_normal(value, nfc)).encode("ascii")


def digest_bytes(data: bytes) -> str:
    """Return the sha256 of `data` as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Json) -> str:
    """Return the sha256 of the canonical form of `value`, text in NFC, as 64 hex digits."""
    return digest_bytes(encode(value, nfc=True))


def equal(left: Json, right: Json) -> bool:
    """Say whether two JSON values are one value (numbers by value, text in NFC)."""
    return encode(left, nfc=True) == encode(right, nfc=True)
