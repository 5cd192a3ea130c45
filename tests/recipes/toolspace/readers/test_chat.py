"""Chat trajectories: calls meet their results, and what does not fit is a counted skip."""

import json

import pytest

from envwright.recipes.toolspace.readers.chat import ChatReader, messages_of
from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.jsontext import parse
from envwright.recipes.toolspace.readers.skips import Skips


def asks(*calls):
    return {
        "role": "assistant",
        "tool_calls": [
            {"id": i, "type": "function", "function": {"name": n, "arguments": json.dumps(a)}}
            for i, n, a in calls
        ],
    }


def gives(call_id, content, **more):
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


ONE = [{"role": "user", "content": "hello"}, asks(("a", "get", {"k": 1})), gives("a", "one")]


def read(*values):
    skips = Skips()
    reader = ChatReader(skips)
    for number, value in enumerate(values, start=1):
        assert ChatReader.recognises(value)
        reader.take(Element(f"log: element {number}", value))
    return reader, skips


def trace(*messages):
    reader, skips = read(list(messages))
    (found,) = reader.traces()
    return found, skips


def test_calls_meet_their_results_in_the_order_of_the_calls():
    found, skips = trace(
        {"role": "user", "content": "hello"},
        asks(("a", "get", {"k": 1}), ("b", "get", {"k": 2})),
        gives("b", "two"),
        gives("a", "one"),
    )
    assert [(c.arguments, c.value) for c in found.calls] == [({"k": 1}, "one"), ({"k": 2}, "two")]
    assert (found.said, skips.count) == ("hello", 0)


@pytest.mark.parametrize(
    "field",
    ["messages", "traj", "trajectory", "conversation", "conversations", "history", "input"],
)
def test_the_messages_may_stand_under_any_of_these_names(field):
    reader, _ = read({"task_id": 5, field: ONE, "reward": parse("NaN")})
    (found,) = reader.traces()
    assert (found.task, [c.value for c in found.calls]) == ("5", ["one"])


def test_messages_that_are_elements_are_one_conversation():
    reader, _ = read(*ONE)
    (found,) = reader.traces()
    assert (found.said, [c.value for c in found.calls]) == ("hello", ["one"])


def test_messages_that_are_elements_are_told_apart_by_their_session():
    lines = [{"sessionId": s, "type": m["role"], "message": m} for m in ONE for s in ("x", "y")]
    reader, skips = read(*lines)
    assert [(t.task, len(t.calls)) for t in reader.traces()] == [("x", 1), ("y", 1)]
    assert skips.count == 0


def test_what_a_trajectory_says_of_its_tools_is_kept_once():
    schema = {"type": "object", "properties": {"k": {"type": "integer"}}}
    tools = [{"type": "function", "function": {"name": "get", "parameters": schema}}]
    reader, _ = read({"messages": ONE, "tools": tools}, {"messages": ONE, "tools": tools})
    (manifest,) = reader.manifests()
    assert [(t.name, t.parameters) for t in manifest.tools] == [("get", schema)]


def test_a_call_without_a_result_is_a_skip_with_its_place():
    found, skips = trace(asks(("a", "get", {}), ("b", "put", {})), gives("a", "one"))
    assert [c.tool for c in found.calls] == ["get"]
    assert [s.place for s in skips.kept()] == ["log: element 1, message 1"]


def test_a_result_without_a_call_is_a_skip():
    found, skips = trace(gives("nobody", "?"))
    assert (found.calls, skips.count) == ((), 1)


def test_a_message_that_is_no_object_is_a_skip_and_the_rest_is_read():
    found, skips = trace("hello", *ONE)
    assert (len(found.calls), skips.count) == (1, 1)


@pytest.mark.parametrize("arguments", ["{broken", "[1]", '"text"', '{"a": NaN}'])
def test_arguments_that_are_no_object_are_a_skip(arguments):
    call = {"id": "a", "function": {"name": "get", "arguments": arguments}}
    found, skips = trace({"role": "assistant", "tool_calls": [call]}, gives("a", "one"))
    assert (found.calls, skips.count) == ((), 1)


@pytest.mark.parametrize("arguments", ["", None, {}])
def test_no_arguments_are_an_empty_object(arguments):
    call = {"id": "a", "function": {"name": "get", "arguments": arguments}}
    found, _ = trace({"role": "assistant", "tool_calls": [call]}, gives("a", "one"))
    assert found.calls[0].arguments == {}


def test_an_image_as_a_result_is_a_skip_and_beside_text_only_the_image_is():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    found, skips = trace(
        asks(("a", "look", {}), ("b", "look", {})),
        gives("a", [image]),
        gives("b", [{"type": "text", "text": "seen"}, image]),
    )
    assert [c.value for c in found.calls] == ["seen"]
    assert [s.reason for s in skips.kept()] == [
        "result of 'look': the result holds no text but image_url",
        "left out of a result: image_url",
    ]


def test_the_task_is_what_the_element_says_or_else_what_the_user_said():
    named, other = ({"id": 7, "messages": ONE}, {"messages": ONE[1:]})
    reader, _ = read(named, ONE, {"messages": ONE}, other)
    tasks = [t.task for t in reader.traces()]
    assert tasks[0] == "7"
    assert tasks[1] == tasks[2] != tasks[3]


@pytest.mark.parametrize(
    "value", [{"messages": []}, {"a": 1}, [1, 2], "text", None, {"messages": [{"a": 1}]}]
)
def test_what_holds_no_messages_is_no_trajectory(value):
    assert messages_of(value) is None
    assert not ChatReader.recognises(value)
