"""Results: recorded content becomes a value or an error."""

import pytest

from envwright.recipes.toolspace.readers.results import failed, from_content, from_record


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
        ([{"type": "text", "text": "plain"}], "plain"),
        ({"a": 1}, {"a": 1}),
    ],
)
def test_content_that_is_json_or_text_is_a_value(content, value):
    answer = from_content(content)
    assert answer is not None
    assert (answer.ok, answer.value) == (True, value)


@pytest.mark.parametrize("content", ["Error: order not found", "error: no", '{"error": "no"}'])
def test_content_that_says_error_is_an_error(content):
    answer = from_content(content)
    assert answer is not None
    assert not answer.ok


def test_an_error_beside_data_is_data():
    answer = from_content('{"error": "none", "order": 1, "status": "ok"}')
    assert answer is not None
    assert answer.ok


@pytest.mark.parametrize("content", [None, [], [{"type": "image_url"}], 7])
def test_content_without_text_or_data_is_no_answer(content):
    assert from_content(content) is None


@pytest.mark.parametrize("status", ["ok", "SUCCESS", 200, 204, True, None])
def test_a_good_status_is_a_success(status):
    assert from_record({"a": 1}, status, None).ok


@pytest.mark.parametrize("status", ["error", "failed", 404, False])
def test_a_bad_status_is_a_failure(status):
    assert not from_record({"a": 1}, status, None).ok


def test_an_error_code_is_a_failure_whatever_the_status():
    assert not from_record({}, "ok", "404").ok


def test_an_error_keeps_its_text_or_else_its_code():
    assert from_record("Error: gone", "error", "410").value == "Error: gone"
    assert from_record({"error": "gone"}, "error", None).value == "gone"
    assert from_record({}, "error", "404").value == "Error: 404"


@pytest.mark.parametrize(
    ("text", "code"),
    [("slow down", "429"), ("oops", "503"), ("Request timed out", None), ("rate limit hit", None)],
)
def test_a_busy_service_is_transient(text, code):
    assert failed(text, code).transient


def test_a_refusal_is_not_transient():
    assert not failed("Error: order not found", "404").transient
