"""Chat trajectories: calls meet their results, and what does not fit is a counted skip."""

import json

import pytest

from envwright.recipes.toolspace.readers.chat import messages_of, read_trace
from envwright.recipes.toolspace.readers.documents import Element
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


def read(*messages, value=None):
    skips = Skips()
    element = Element("log.json: element 1", value or list(messages))
    return read_trace(element, list(messages), skips), skips


def test_calls_meet_their_results_in_the_order_of_the_calls():
    trace, skips = read(
        {"role": "user", "content": "hello"},
        asks(("a", "get", {"k": 1}), ("b", "get", {"k": 2})),
        gives("b", "two"),
        gives("a", "one"),
    )
    assert [(c.arguments, c.value) for c in trace.calls] == [({"k": 1}, "one"), ({"k": 2}, "two")]
    assert (trace.said, skips.count) == ("hello", 0)


def test_an_id_that_is_used_twice_belongs_to_the_first_open_call():
    trace, skips = read(
        asks(("x", "get", {"k": 1})),
        gives("x", "one"),
        asks(("x", "get", {"k": 2})),
        gives("x", "two"),
    )
    assert [c.value for c in trace.calls] == ["one", "two"]
    assert skips.count == 0


def test_a_name_tells_parallel_calls_with_one_id_apart():
    trace, _ = read(
        asks(("x", "get", {}), ("x", "put", {})),
        gives("x", "from put", name="put"),
        gives("x", "from get", name="get"),
    )
    assert [c.value for c in trace.calls] == ["from get", "from put"]


def test_a_call_without_a_result_is_a_skip_with_its_place():
    trace, skips = read(asks(("a", "get", {}), ("b", "put", {})), gives("a", "one"))
    assert [c.tool for c in trace.calls] == ["get"]
    assert [s.place for s in skips.kept()] == ["log.json: element 1, message 1"]


def test_a_result_without_a_call_is_a_skip():
    trace, skips = read(gives("nobody", "?"))
    assert (trace.calls, skips.count) == ((), 1)


@pytest.mark.parametrize("arguments", ["{broken", "[1]", '"text"'])
def test_arguments_that_are_no_object_are_a_skip(arguments):
    call = {"id": "a", "function": {"name": "get", "arguments": arguments}}
    _, skips = read({"role": "assistant", "tool_calls": [call]}, gives("a", "one"))
    assert skips.count == 1


@pytest.mark.parametrize("arguments", ["", None, {}])
def test_no_arguments_are_an_empty_object(arguments):
    call = {"id": "a", "function": {"name": "get", "arguments": arguments}}
    trace, _ = read({"role": "assistant", "tool_calls": [call]}, gives("a", "one"))
    assert trace.calls[0].arguments == {}


def test_an_image_as_a_result_is_a_skip():
    _, skips = read(asks(("a", "look", {})), gives("a", [{"type": "image_url"}]))
    assert skips.count == 1


def test_the_older_form_of_a_call_is_read_too():
    trace, _ = read(
        {"role": "assistant", "function_call": {"name": "get", "arguments": "{}"}},
        {"role": "function", "name": "get", "content": "one"},
    )
    assert [c.value for c in trace.calls] == ["one"]


def test_the_task_is_what_the_element_says_or_else_what_was_recorded():
    named, _ = read(asks(("a", "get", {})), value={"task_id": 7})
    assert named.task == "7"
    one, _ = read(asks(("a", "get", {"k": 1})))
    two, _ = read(asks(("a", "get", {"k": 2})))
    assert one.task != two.task


@pytest.mark.parametrize("value", [{"messages": [{"role": "user"}]}, [{"role": "user"}]])
def test_messages_are_found(value):
    assert messages_of(value) == [{"role": "user"}]


@pytest.mark.parametrize("value", [{"messages": []}, {"a": 1}, [1, 2], "text", None])
def test_what_holds_no_messages_is_no_trajectory(value):
    assert messages_of(value) is None
