"""Canonical JSON and digests: one value has one byte form, on every machine and in every run."""

import hashlib
import json
import math
import unicodedata
from typing import Any

try:
    import orjson
except ModuleNotFoundError:  # It comes with an extra; without it the same bytes take longer.
    orjson = None  # type: ignore[assignment]

from envwright.events.errors import CanonicalError

# Doubles hold every integer up to 2**53, so an integral float below it is that integer.
_EXACT_INTEGER = 2**53

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)

_TEXT = frozenset({str})
_ATOMS = frozenset({str, int, bool, type(None)})

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


class _UncommonError(Exception):
    """The value is not of those that two encoders write alike."""


def _common(value: Json) -> Json:
    """Return `value` with integers for integral floats; plain types and no fractions only."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is dict and _TEXT.issuperset(map(type, value)):
        if _ATOMS.issuperset(map(type, value.values())):
            return value
        return {
            name: item if type(item) in _ATOMS else _common(item) for name, item in value.items()
        }
    if kind is list or kind is tuple:
        return value if _ATOMS.issuperset(map(type, value)) else [*map(_common, value)]
    if kind is float and type(number := _number(value)) is int:
        return number
    raise _UncommonError


def _quickly(value: Json) -> bytes | None:
    """Return the canonical bytes where orjson writes what json does, else None.

    The two differ in fractions (1e-07 and 1e-7), integers over 64 bits, text that is not ASCII or
    holds DEL, and what json nests deeper than 254 levels.
    """
    try:
        data = orjson.dumps(_common(value), option=orjson.OPT_SORT_KEYS)
    except (_UncommonError, orjson.JSONEncodeError):
        return None
    return data if data.isascii() and b"\x7f" not in data else None


def encode(value: Json, *, nfc: bool = False) -> bytes:
    """Return the canonical bytes of `value`: sorted keys, no spaces, ASCII with escapes.

    Text is kept verbatim unless `nfc`; lone surrogates and NUL survive as escapes.
    """
    quick = None if nfc or orjson is None else _quickly(value)
    return quick or _ENCODER.encode(_normal(value, nfc)).encode("ascii")


def digest_bytes(data: bytes) -> str:
    """Return the sha256 of `data` as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(value: Json) -> str:
    """Return the sha256 of the canonical form of `value`, text in NFC, as 64 hex digits."""
    return digest_bytes(encode(value, nfc=True))


def equal(left: Json, right: Json) -> bool:
    """Say whether two JSON values are one value (numbers by value, text in NFC)."""
    return encode(left, nfc=True) == encode(right, nfc=True)
