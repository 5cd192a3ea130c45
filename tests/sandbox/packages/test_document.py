"""How JSON documents are decoded and refused."""

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.packages import Assertions, Solution
from envwright.sandbox.packages.document import canonical_json, decode_json, decode_text

MALFORMED = {
    "truncated": (b'{"calls": [', r"tests/a\.json: line 1, column 12"),
    "empty": (b"", "line 1, column 1"),
    "not UTF-8": (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
    "NaN": (b'{"a": NaN}', "NaN is not JSON"),
    "twin keys": (b'{"a": 1, "a": 2}', "'a' stands twice"),
    "too deep": (b"[" * 100_000, "nested too deeply"),
}


@pytest.mark.parametrize(("data", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_json_is_refused_with_file_and_place(data, message):
    with pytest.raises(BadInputError, match=message) as caught:
        decode_json("tests/a.json", data)
    assert str(caught.value).startswith("tests/a.json: ")


def test_keys_that_are_equal_in_normal_form_are_refused():
    data = '{"caf\u00e9": 1, "cafe\u0301": 2}'.encode()
    with pytest.raises(BadInputError, match="equal after NFC"):
        canonical_json("tests/a.json", data)


def test_a_byte_order_mark_is_dropped():
    assert decode_text("instruction.md", b"\xef\xbb\xbfhello") == "hello"


def test_a_wrong_field_is_refused_with_its_place_and_value():
    value = {"schema_version": 1, "state": [{"id": "a", "path": ["x"], "op": "like"}]}
    with pytest.raises(BadInputError, match=r"tests/assertions\.json: state\.0\.op: .*'like'"):
        Assertions.parse(value)


def test_an_unknown_field_is_refused():
    with pytest.raises(BadInputError, match=r"solution/calls\.json: hint"):
        Solution.parse({"schema_version": 1, "hint": "look there"})


@pytest.mark.parametrize("value", [{"schema_version": 2}, {}], ids=["newer", "missing"])
def test_an_unknown_or_missing_schema_version_is_refused(value):
    with pytest.raises(BadInputError, match="schema_version is"):
        Solution.parse(value)


def test_a_document_that_is_no_object_is_refused():
    with pytest.raises(BadInputError, match="the whole file"):
        Solution.parse([1, 2])
