"""Chat messages: each dialect says the same things."""

import json

import pytest

from envwright.recipes.toolspace.readers.messages import is_message, read_message

CALL = ("a", "get", {"k": 1})
TEXT = json.dumps({"k": 1})


def calls(message):
    return [(c.id, c.name, c.arguments) for c in read_message(message).calls]


def results(message):
    return [tuple(r) for r in read_message(message).results]


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (
            {
                "role": "assistant",
                "tool_calls": [{"id": "a", "function": {"name": "get", "arguments": TEXT}}],
            },
            ("a", "get", TEXT),
        ),
        (
            {"role": "assistant", "function_call": {"name": "get", "arguments": TEXT}},
            ("", "get", TEXT),
        ),
        (
            {
                "type": "function_call",
                "id": "fc",
                "call_id": "a",
                "name": "get",
                "arguments": TEXT,
            },
            ("a", "get", TEXT),
        ),
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "let me see"},
                    {"type": "tool_use", "id": "a", "name": "get", "input": {"k": 1}},
                ],
            },
            CALL,
        ),
        (
            {
                "role": "assistant",
                "content": [
                    {"type": "tool-call", "toolCallId": "a", "toolName": "get", "input": {"k": 1}}
                ],
            },
            CALL,
        ),
        (
            {"role": "model", "parts": [{"functionCall": {"name": "get", "args": {"k": 1}}}]},
            ("", "get", {"k": 1}),
        ),
        (
            {
                "type": "ai",
                "data": {
                    "content": "",
                    "tool_calls": [{"id": "a", "name": "get", "args": {"k": 1}}],
                },
            },
            CALL,
        ),
        (
            {
                "lc": 1,
                "type": "constructor",
                "id": ["langchain", "schema", "messages", "AIMessage"],
                "kwargs": {
                    "content": "",
                    "tool_calls": [{"id": "a", "name": "get", "args": {"k": 1}}],
                },
            },
            CALL,
        ),
        (
            {
                "type": "ai",
                "data": {
                    "content": "",
                    "additional_kwargs": {
                        "tool_calls": [{"id": "a", "function": {"name": "get", "arguments": TEXT}}]
                    },
                },
            },
            ("a", "get", TEXT),
        ),
        (
            {
                "type": "assistant",
                "message": {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "a", "name": "get", "input": {"k": 1}}],
                },
            },
            CALL,
        ),
        (
            {"from": "function_call", "value": json.dumps({"name": "get", "arguments": {"k": 1}})},
            ("", "get", {"k": 1}),
        ),
        (
            {
                "from": "gpt",
                "value": 'Sure.\n<tool_call>\n{"name": "get", "arguments": {"k": 1}}\n</tool_call>',
            },
            ("", "get", {"k": 1}),
        ),
        (
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": "a", "name": "get", "arguments": {"k": 1}, "requestor": "assistant"}
                ],
            },
            CALL,
        ),
    ],
)
def test_a_call_is_found_in_every_dialect(message, asked):
    assert is_message(message)
    assert calls(message) == [asked]


@pytest.mark.parametrize(
    ("message", "given"),
    [
        (
            {"role": "tool", "tool_call_id": "a", "name": "get", "content": "one"},
            ("a", "get", "one", False),
        ),
        ({"role": "function", "name": "get", "content": "one"}, ("", "get", "one", False)),
        (
            {"type": "function_call_output", "call_id": "a", "output": "one"},
            ("a", "", "one", False),
        ),
        (
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "a",
                        "content": "one",
                        "is_error": True,
                    }
                ],
            },
            ("a", "", "one", True),
        ),
        (
            {
                "role": "tool",
                "content": [
                    {
                        "type": "tool-result",
                        "toolCallId": "a",
                        "toolName": "get",
                        "output": {"type": "json", "value": {"n": 1}},
                    }
                ],
            },
            ("a", "get", {"n": 1}, False),
        ),
        (
            {
                "role": "user",
                "parts": [{"functionResponse": {"name": "get", "response": {"n": 1}}}],
            },
            ("", "get", {"n": 1}, False),
        ),
        (
            {
                "type": "tool",
                "data": {"content": "one", "tool_call_id": "a", "status": "error"},
            },
            ("a", "", "one", True),
        ),
        ({"from": "observation", "value": "one"}, ("", "", "one", False)),
        (
            {
                "from": "tool",
                "value": '<tool_response>{"name": "get", "content": {"n": 1}}</tool_response>',
            },
            ("", "get", {"n": 1}, False),
        ),
        (
            {"role": "tool", "content": "<tool_response>\nplain\n</tool_response>"},
            ("", "", "plain", False),
        ),
        ({"role": "tool", "id": "a", "content": "one", "error": True}, ("a", "", "one", True)),
        (
            {"role": "tool", "tool_messages": [{"role": "tool", "id": "a", "content": "one"}]},
            ("a", "", "one", False),
        ),
    ],
)
def test_a_result_is_found_in_every_dialect(message, given):
    assert is_message(message)
    assert results(message) == [given]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "please"},
        {"role": "user", "content": [{"type": "text", "text": "please"}, {"type": "image_url"}]},
        {"role": "user", "parts": [{"text": "please"}]},
        {"from": "human", "value": "please"},
        {"type": "human", "data": {"content": "please"}},
        {"type": "user", "message": {"role": "user", "content": "please"}},
    ],
)
def test_the_users_words_are_found_in_every_dialect(message):
    assert is_message(message)
    assert read_message(message).words == "please"


def test_nobody_elses_words_are_the_users():
    for role in ("system", "assistant", "tool", "developer"):
        assert read_message({"role": role, "content": "please"}).words == ""


def test_parallel_calls_and_several_results_stay_in_order():
    blocks = [{"type": "tool_use", "id": n, "name": "get", "input": {}} for n in "ba"]
    assert [c[0] for c in calls({"role": "assistant", "content": blocks})] == ["b", "a"]
    answers = [{"type": "tool_result", "tool_use_id": n, "content": n} for n in "ba"]
    assert [r[0] for r in results({"role": "user", "content": answers})] == ["b", "a"]


def test_a_call_that_is_none_has_no_name():
    assert calls({"role": "assistant", "tool_calls": [5, {"id": "a", "type": "custom"}]}) == [
        ("", "", None),
        ("a", "", None),
    ]
    tagged = "<tool_call>{broken</tool_call>"
    assert calls({"role": "assistant", "content": tagged}) == [("", "", None)]


@pytest.mark.parametrize(
    "value", [{"name": "get"}, {"type": "function"}, {"from": "A", "to": "B"}, [], "user", None]
)
def test_other_values_are_no_messages(value):
    assert not is_message(value)
