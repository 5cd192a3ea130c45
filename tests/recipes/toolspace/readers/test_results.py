"""Results: recorded content becomes a value or an error."""

import pytest

from envwright.recipes.toolspace.readers.jsontext import UnusableError, parse
from envwright.recipes.toolspace.readers.results import (
    arguments_of,
    content_text,
    from_content,
    from_record,
    from_tool_result,
    is_tool_result,
    parts_of,
    refused,
)

IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}


def text(value: str):
    return {"type": "text", "text": value}


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ('{"a": 1.0}', {"a": 1}),
        ("[1, 2]", [1, 2]),
        ('"text"', "text"),
        ("plain text", "plain text"),
        ("12345", "12345"),
        ("", ""),
        ("{not json", "{not json"),
        ("[see below]", "[see below]"),
        ([text("plain")], "plain"),
        ([text('{"a":'), text("1}")], {"a": 1}),
        ([{"type": "output_text", "text": "plain"}], "plain"),
        ({"a": 1}, {"a": 1}),
        ([{"id": 1, "type": "pear"}], [{"id": 1, "type": "pear"}]),
        (7, 7),
        ({"content": [text('{"a": 1}')], "isError": False}, {"a": 1}),
    ],
)
def test_content_that_is_json_or_text_is_a_value(content, value):
    answer = from_content(content)
    assert (answer.ok, answer.value, answer.left_out) == (True, value, "")


@pytest.mark.parametrize("content", ["Error: order not found", "error: no", '{"error": "no"}'])
def test_content_that_says_error_is_an_error(content):
    assert not from_content(content).ok


def test_a_message_may_say_itself_that_the_call_failed():
    assert from_content("no such order", failed=True)[:2] == (False, "no such order")
    assert from_content('{"code": 5}', failed=True)[:2] == (False, '{"code":5}')


def test_an_error_beside_data_is_data():
    assert from_content('{"error": "none", "order": 1, "status": "ok"}').ok


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "empty"),
        ([{"type": "image_url"}], "no text but image_url"),
        ([IMAGE], "no text but image"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ('{"a": 1, "a": 2}', "stands twice"),
        (r'{"a": "\ud800"}', "half a surrogate pair"),
        ("[" * 5000 + "]" * 5000, "nested too deep"),
    ],
)
def test_content_that_cannot_be_used_says_why(content, told):
    with pytest.raises(UnusableError, match=told):
        from_content(content)


def test_an_image_beside_text_is_left_out_and_said():
    answer = from_content([text("seen"), IMAGE])
    assert (answer.value, answer.left_out) == ("seen", "left out of a result: image")


def test_a_part_may_hold_a_resource_with_text():
    parts = parts_of([{"type": "resource", "resource": {"uri": "a", "text": "seen"}}])
    assert parts is not None
    assert parts.texts == ("seen",)
    assert content_text([text("a"), text("b")]) == "a\nb"


@pytest.mark.parametrize("status", ["ok", "SUCCESS", 200, 204, True, None])
def test_a_good_status_is_a_success(status):
    assert from_record({"a": 1}, status, None).ok


@pytest.mark.parametrize("status", ["error", "failed", 404, False])
def test_a_bad_status_is_a_failure(status):
    assert not from_record({"a": 1}, status, None).ok


@pytest.mark.parametrize("code", ["", 0, None])
def test_no_error_code_is_no_failure(code):
    assert from_record({"a": 1}, "ok", code).ok


def test_an_error_code_is_a_failure_whatever_the_status():
    assert not from_record({}, "ok", "404").ok


def test_an_error_keeps_its_text_or_else_its_code():
    assert from_record("Error: gone", "error", "410").value == "Error: gone"
    assert from_record({"error": "gone"}, "error", None).value == "gone"
    assert from_record({"why": "gone"}, "error", None).value == '{"why":"gone"}'
    assert from_record({}, "error", "404").value == "Error: 404"


@pytest.mark.parametrize(
    ("said", "code"),
    [("slow down", "429"), ("oops", 503), ("Request timed out", None), ("rate limit hit", None)],
)
def test_a_busy_service_is_transient(said, code):
    assert refused(said, code).transient


@pytest.mark.parametrize("code", ["404", 5, "50001", None])
def test_a_refusal_is_not_transient(code):
    assert not refused("Error: order not found", code).transient


def test_a_tools_structured_content_is_preferred_to_its_texts():
    found = from_tool_result({"content": [text("2 found")], "structuredContent": {"n": 2}})
    assert found.value == {"n": 2}


@pytest.mark.parametrize(
    ("texts", "structured", "value"),
    [
        (['[{"a": 1}]'], {"result": [{"a": 1}]}, [{"a": 1}]),
        (['{"a": 1}'], {"result": [{"a": 1}]}, [{"a": 1}]),
        ([], {"result": []}, []),
        (["fine"], {"result": "fine"}, "fine"),
        (['{"result": 5.0}'], {"result": 5}, {"result": 5}),
        (['{"a": 1}'], [1], [1]),
    ],
)
def test_structured_content_that_a_server_wrapped_is_unwrapped(texts, structured, value):
    content = [text(each) for each in texts]
    found = from_tool_result({"content": content, "structuredContent": structured})
    assert found.value == value


def test_several_texts_of_data_are_a_list_and_other_texts_are_lines():
    assert from_tool_result({"content": [text('{"a": 1}'), text('{"a": 2}')]}).value == [
        {"a": 1},
        {"a": 2},
    ]
    assert from_tool_result({"content": [text("one"), text("two")]}).value == "one\ntwo"


def test_a_tool_that_answers_nothing_answers_null():
    assert from_tool_result({"content": [], "isError": False})[:2] == (True, None)


def test_a_tools_error_is_its_text():
    found = from_tool_result({"content": [text("order not found")], "isError": True})
    assert found[:2] == (False, "order not found")
    silent = from_tool_result({"content": [], "isError": True})
    assert not silent.ok
    assert silent.value.startswith("Error: ")


def test_a_result_that_asks_back_is_not_one():
    with pytest.raises(UnusableError, match="not complete: 'input_required'"):
        from_tool_result({"content": [text("who?")], "resultType": "input_required"})


@pytest.mark.parametrize(
    "value",
    [
        {"content": "text"},
        {"content": []},
        {"content": [{"type": "file", "name": "a"}]},
        {"content": [text("a")], "role": "user"},
        {"content": [{"id": 1}]},
        [],
        None,
    ],
)
def test_data_of_another_shape_is_no_tools_result(value):
    assert not is_tool_result(value)


@pytest.mark.parametrize(
    ("recorded", "arguments"),
    [
        ({"a": 1.0}, {"a": 1}),
        ('{"a": "12"}', {"a": "12"}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ("", {}),
        (" ", {}),
        (None, {}),
        ("null", {}),
    ],
)
def test_arguments_may_be_an_object_its_text_or_nothing(recorded, arguments):
    assert arguments_of(recorded) == arguments


@pytest.mark.parametrize("recorded", ["{broken", "[1]", '"text"', [1], 5, parse('{"a": NaN}')])
def test_arguments_that_are_no_object_are_unusable(recorded):
    with pytest.raises(UnusableError):
        arguments_of(recorded)
