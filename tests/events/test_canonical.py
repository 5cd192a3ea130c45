"""One value has one byte form."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import canonical, digest, digest_bytes, encode, equal, normalise
from envwright.events.errors import CanonicalError
from support.any_fact import JSON, TEXT


def reverse_keys(value):
    """Return the same JSON value with every object's keys inserted in the opposite order."""
    if isinstance(value, dict):
        return {key: reverse_keys(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [reverse_keys(item) for item in value]
    return value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, b"null"),
        (True, b"true"),
        (25.0, b"25"),
        (-0.0, b"0"),
        (0.1, b"0.1"),
        (2**60, b"1152921504606846976"),
        ({"b": 1, "a": [1.0, "x"]}, b'{"a":[1,"x"],"b":1}'),
        ("é", b'"\\u00e9"'),
        ("a\x00b", b'"a\\u0000b"'),
        ("\ud83d", b'"\\ud83d"'),
        ((1, 2), b"[1,2]"),
    ],
)
def test_a_value_has_these_bytes(value, expected):
    assert encode(value) == expected


def test_a_digest_has_the_value_that_is_recorded_in_logs():
    recorded = "e644d8306475e30cde8f33f9f20282cb7f0a9a4cb27db54946828e9fd92531b0"
    assert digest({"a": [1, 2.5, "é"], "b": None}) == recorded


def as_json_writes(value):
    """Return the bytes that define the form, written by the standard library alone."""
    plain = json.dumps(normalise(value, nfc=False), sort_keys=True, separators=(",", ":"))
    return plain.encode("ascii")


ALIKE = [chr(code) for code in (*range(0x20), 0x22, 0x2F, 0x5C, 0x7F, 0x80, 0x2028, 0xD800)]
ALIKE += [2**53, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 1e-7, 1.5, 1e15, 1e16, 1e300]
ALIKE += [True, 7.0, -0.0, (1, ("a", None)), {}, [], {"": {}}, {"b": 1, "a\x7f": [{}], "é": 2}]


@pytest.mark.parametrize("value", ALIKE, ids=repr)
@pytest.mark.parametrize("within", [lambda v: v, lambda v: [v], lambda v: {"k": {"v": v}}])
def test_a_value_has_the_bytes_that_the_standard_library_writes(value, within):
    assert encode(within(value)) == as_json_writes(within(value))


@given(JSON)
def test_any_value_has_the_bytes_that_the_standard_library_writes(value):
    assert encode(value) == as_json_writes(value)


def test_values_of_subclasses_and_deep_ones_have_them_too():
    class Key(str):
        pass

    deep: list = []
    for _ in range(300):
        deep = [deep]
    for value in ({Key("a"): Key("b"), "n": 1}, {"a": deep}):
        assert encode(value) == as_json_writes(value)


@given(JSON)
def test_without_its_extra_the_bytes_are_the_same(value):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(canonical, "orjson", None)
        slowly = encode(value)
    assert encode(value) == slowly


@given(JSON)
def test_encoding_round_trips(value):
    assert json.loads(encode(value)) == value


@given(JSON)
def test_encoding_what_was_decoded_gives_the_same_bytes(value):
    once = encode(value)
    assert encode(json.loads(once)) == once


@given(JSON)
def test_the_order_of_keys_does_not_reach_the_bytes(value):
    assert encode(reverse_keys(value)) == encode(value)


@given(st.integers(-(2**53) + 1, 2**53 - 1))
def test_a_whole_float_is_its_integer(number):
    assert encode(float(number)) == encode(number)
    assert equal({"n": float(number)}, {"n": number})


def test_a_float_past_exact_integers_stays_a_float():
    assert encode(2.0**53) == b"9007199254740992.0"


def test_true_is_not_one():
    assert not equal(True, 1)
    assert not equal([False], [0])


@given(TEXT)
def test_text_is_equal_in_any_unicode_form(text):
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert equal({composed: decomposed}, {decomposed: composed})
    assert digest(composed) == digest(decomposed)


def test_text_is_kept_verbatim_unless_nfc_is_asked_for():
    decomposed = "e\u0301"
    assert json.loads(encode(decomposed)) == decomposed
    assert json.loads(encode(decomposed, nfc=True)) == "\u00e9"


def test_a_lone_surrogate_survives_a_round_trip():
    text = "half an emoji \ud83d!"
    assert json.loads(encode({text: text})) == {text: text}
    assert digest(text) != digest("half an emoji !")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_outside_json_is_refused(number):
    with pytest.raises(CanonicalError, match="not a JSON number"):
        encode({"deep": [number]})


@pytest.mark.parametrize("value", [b"bytes", {1, 2}, object(), 1j])
def test_a_value_outside_json_is_refused(value):
    with pytest.raises(CanonicalError, match="not a JSON value"):
        encode([value])


def test_a_key_that_is_not_text_is_refused():
    with pytest.raises(CanonicalError, match="key 1 is int"):
        encode({1: "one"})


def test_keys_that_nfc_makes_equal_are_refused():
    keys = {"\u00e9": 1, "e\u0301": 2}
    assert len(json.loads(encode(keys))) == 2
    with pytest.raises(CanonicalError, match="equal after NFC"):
        digest(keys)


def test_normalising_leaves_its_argument_alone():
    value = {"n": 1.0, "t": "e\u0301", "l": [2.0]}
    assert normalise(value) == {"n": 1, "t": "\u00e9", "l": [2]}
    assert list(value) == ["n", "t", "l"]
    assert isinstance(value["n"], float)
    assert value["t"] == "e\u0301"


def test_the_digest_of_bytes_is_sha256():
    assert digest_bytes(b"abc").startswith("ba7816bf8f01cfea")
