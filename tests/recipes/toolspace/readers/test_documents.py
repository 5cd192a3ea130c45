"""Documents: bytes become elements with places, or a message that helps."""

import json

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes.toolspace.readers.documents import elements


def read(data: str | bytes):
    return list(elements("log.json", data if isinstance(data, bytes) else data.encode()))


def test_an_array_gives_its_elements_with_their_numbers():
    assert [(e.place, e.value) for e in read(' [ {"a": 1} ,\n {"b": 2} ] \n')] == [
        ("log.json: element 1", {"a": 1}),
        ("log.json: element 2", {"b": 2}),
    ]


def test_an_array_is_read_element_by_element():
    found = elements("log.json", b'[{"a": 1}, {"b": 2}, oh')
    assert next(found).value == {"a": 1}
    assert next(found).value == {"b": 2}
    with pytest.raises(BadInputError):
        next(found)


def test_json_lines_give_their_elements_with_their_lines():
    found = read('{"a": 1}\r\n\n \x1e{"b": 2}\n')
    assert [(e.place, e.value) for e in found] == [
        ("log.json: line 1", {"a": 1}),
        ("log.json: line 3", {"b": 2}),
    ]


def test_lines_may_end_as_they_did_long_ago():
    assert [e.value for e in read('{"a": 1}\r{"b": 2}\r')] == [{"a": 1}, {"b": 2}]


def test_only_a_newline_ends_a_line():
    assert read('{"a": "x\u2028y\x85z"}\n{"b": 2}\n')[0].value == {"a": "x\u2028y\x85z"}


def test_arrays_may_stand_in_lines():
    assert [e.value for e in read('[{"a": 1}]\n[{"b": 2}]\n')] == [[{"a": 1}], [{"b": 2}]]


def test_a_bad_line_is_an_element_with_a_problem():
    found = read('{"a": 1}\n{"b": \n{"c": 3}\n')
    assert [bool(e.problem) for e in found] == [False, True, False]


def test_a_bad_first_line_is_one_too():
    found = read('[INFO] recording\n{"a": 1}\n{"c": 3}\n')
    assert [e.problem[:8] for e in found] == ["not JSON", "", ""]


def test_a_line_in_another_encoding_is_a_problem_and_no_other():
    found = read('{"a": "é"}\n'.encode() + '{"a": "é"}\n'.encode("latin-1") + b'{"a": 1}\n')
    assert [e.problem for e in found] == ["", "not UTF-8 at byte 7 of the line", ""]


def test_a_bad_encoding_in_the_first_line_is_a_problem_of_that_line():
    found = read('{"a": "é"}\n'.encode("latin-1") + b'{"a": 1}\n')
    assert [bool(e.problem) for e in found] == [True, False]


def test_a_byte_order_mark_is_no_harm_even_between_files_that_were_joined():
    found = read(b'\xef\xbb\xbf{"a": 1}\n\xef\xbb\xbf{"b": 2}\n')
    assert [e.value for e in found] == [{"a": 1}, {"b": 2}]
    assert read(b"\xef\xbb\xbf[]") == []


def test_an_indented_object_is_one_element_and_several_are_several():
    one = json.dumps({"a": [1, 2]}, indent=2)
    assert [e.value for e in read(one)] == [{"a": [1, 2]}]
    assert [e.place for e in read(f"{one}\n{one}")] == [f"log.json: element {n}" for n in (1, 2)]


def test_a_key_twice_and_nan_do_not_make_an_element_unreadable():
    assert [e.problem for e in read('[{"a": NaN, "b": 1, "b": 2}, {"a": 1}]')] == ["", ""]


def test_deep_nesting_is_the_problem_of_its_element_alone():
    deep = "[" * 100_000 + '"]"' + "]" * 100_000
    for text in (f'{{"a": 1}}\n{deep}\n{{"b": 2}}\n', f'[{{"a": 1}}, {deep}, {{"b": 2}}]'):
        assert [e.problem for e in read(text)] == ["", "nested too deep", ""]


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}, {"b":',
        '[{"a": 1},\n {"b": 2},\n',
        '{"messages": [{"role": "us',
        "[",
        f"[{'[' * 5000}",
        '[{"a": 1}',
    ],
)
def test_a_truncated_file_says_so_and_names_the_remedy(text):
    with pytest.raises(BadInputError, match=r"log\.json: the JSON is cut off .* again"):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "dear diary,\ntoday I called a tool\n",
        '{\n "a": tru\n}\n',
        '[{"a": 1}, {], {"b": 2}]\n',
        "[]]",
    ],
)
def test_text_that_is_no_json_is_refused_with_what_was_expected(text):
    with pytest.raises(BadInputError, match=r"log\.json: neither JSON .*expected tool-call logs"):
        read(text)


@pytest.mark.parametrize("text", ["42", '"text"', "1\n2\n"])
def test_a_scalar_is_refused(text):
    with pytest.raises(BadInputError, match="the file holds (int|str)"):
        read(text)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7; save the file as UTF-8"),
        (b'[{"a": "\xe9"}]', "not UTF-8 at byte 8; save the file as UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "the encoding is UTF-16; save the file as UTF-8"),
        ('{"a": 1}'.encode("utf-16-le"), "the encoding is UTF-16-LE; save the file as UTF-8"),
        ('{"a": 1}'.encode("utf-32"), "the encoding is UTF-32; save the file as UTF-8"),
        (b"\x1f\x8b\x08\x00", "compressed with gzip; decompress it"),
        (b"PAR1....", "a parquet table; convert it to JSON lines"),
    ],
)
def test_unusable_bytes_are_refused_by_name(data, told):
    with pytest.raises(BadInputError, match=told) as error:
        read(data)
    assert str(error.value).startswith("log.json: ")
