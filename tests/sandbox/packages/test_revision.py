"""The one byte form of a file and the revision digest."""

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from envwright.sandbox.packages.revision import manifest_of, normal_bytes, revision_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc", max_size=3), inner),
    max_leaves=8,
)


def test_markdown_has_one_form_for_line_ends_marks_and_accents():
    ways = ["Cafe\u0301\r\nnow\r", "\ufeffCaf\u00e9\nnow\n", "Caf\u00e9\r\nnow\r\n"]
    forms = {normal_bytes("instruction.md", text.encode()) for text in ways}
    assert forms == {"Caf\u00e9\nnow\n".encode()}


def test_json_has_one_form_for_order_space_numbers_and_escapes():
    ways = ['{"b": 25.0, "a": "\\u00e9"}', '{\n"a":"é",\n"b":25}']
    assert len({normal_bytes("tests/a.json", text.encode()) for text in ways}) == 1


def test_other_files_are_left_as_they_are():
    assert normal_bytes("files/a.bin", b"\xff\r\n") == b"\xff\r\n"


@given(JSON)
def test_the_form_of_json_is_its_own_form(value):
    once = normal_bytes("tests/a.json", json.dumps(value).encode())
    assert normal_bytes("tests/a.json", once) == once


def test_the_digest_is_of_sorted_lines_of_path_mode_and_sha256():
    files = {"tests/b": b"two", "files/a": b"one"}
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    lines = f"files/a 100644 {hashes['files/a']}\ntests/b 100755 {hashes['tests/b']}\n"
    manifest = manifest_of(files, frozenset({"tests/b"}))
    assert revision_of(manifest) == hashlib.sha256(lines.encode()).hexdigest()
    assert [(entry.path, entry.size) for entry in manifest] == [("files/a", 3), ("tests/b", 3)]
