"""Documents: bytes become elements with places, or a message that helps."""

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes.toolspace.readers.documents import decode, elements, parse_json


def read(text: str):
    return list(elements("log.json", text))


def test_an_array_gives_its_elements_with_their_numbers():
    assert [(e.place, e.value) for e in read('[{"a": 1}, {"b": 2}]')] == [
        ("log.json: element 1", {"a": 1}),
        ("log.json: element 2", {"b": 2}),
    ]


def test_json_lines_give_their_elements_with_their_lines():
    found = read('{"a": 1}\n\n{"b": 2}\n')
    assert [e.place for e in found] == ["log.json: line 1", "log.json: line 3"]


def test_a_bad_line_is_an_element_with_a_problem():
    found = read('{"a": 1}\n{"b": \n{"c": 3}\n')
    assert [bool(e.problem) for e in found] == [False, True, False]


def test_a_bare_array_of_messages_is_one_element():
    assert len(read('[{"role": "user", "content": "hi"}, {"role": "assistant"}]')) == 1


@pytest.mark.parametrize("wrapper", ["traces", "trajectories", "records", "data"])
def test_a_wrapped_array_is_unwrapped(wrapper):
    assert len(read(f'{{"{wrapper}": [{{"a": 1}}, {{"a": 2}}]}}')) == 2


def test_numbers_get_one_form():
    assert read('[{"a": 25.0}]')[0].value == {"a": 25}


def test_a_number_that_is_none_makes_its_element_a_problem_and_no_other():
    found = read('[{"a": NaN}, {"a": 1}]')
    assert "no JSON value" in found[0].problem
    assert not found[1].problem


@pytest.mark.parametrize(
    "text", ['[{"a": 1}, {"b":', '[{"a": 1},\n {"b": 2},\n', '{"messages": [{"role": "us']
)
def test_a_truncated_file_says_so_and_names_the_remedy(text):
    with pytest.raises(BadInputError, match=r"log\.json: the JSON is cut off .* again"):
        read(text)


def test_text_that_is_no_json_is_refused_with_what_was_expected():
    with pytest.raises(BadInputError, match=r"log\.json: neither JSON .*expected tool-call logs"):
        read("dear diary,\ntoday I called a tool\n")


def test_a_scalar_is_refused():
    with pytest.raises(BadInputError, match="the file holds int"):
        read("42")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7; save the file as UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "the encoding is UTF-16; save the file as UTF-8"),
    ],
)
def test_unusable_bytes_are_refused_by_name(data, told):
    with pytest.raises(BadInputError, match=told) as error:
        decode("bad.json", data)
    assert str(error.value).startswith("bad.json: ")


def test_a_byte_order_mark_is_no_harm():
    assert decode("a.json", b"\xef\xbb\xbf[]") == "[]"


def test_deep_nesting_is_a_problem_and_no_crash():
    with pytest.raises(ValueError, match="nested too deep|no canonical|recursion"):
        parse_json("[" * 100_000 + "]" * 100_000)
