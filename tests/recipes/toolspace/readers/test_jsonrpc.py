"""JSON-RPC in recordings: messages are found in whatever a recorder wraps them."""

import json

import pytest

from envwright.recipes.toolspace.readers.jsonrpc import frames_in, holds_frames, is_request

ASK = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get"}}
GIVE = {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "1"}]}}
NOTE = {"jsonrpc": "2.0", "method": "notifications/initialized"}


@pytest.mark.parametrize(
    "value",
    [
        [ASK, GIVE],
        {"session": "s", "messages": [ASK, GIVE]},
        {"messages": [{"direction": "out", "message": ASK}, {"direction": "in", "message": GIVE}]},
        {"dir": "both", "payload": [json.dumps(ASK), json.dumps(GIVE)]},
        {"data": json.dumps([ASK, GIVE])},
        {"request": ASK, "response": GIVE},
        {"interactions": [{"request": ASK, "response": GIVE}]},
    ],
)
def test_messages_are_found_in_every_wrapper(value):
    assert holds_frames(value)
    assert [frame.message for frame in frames_in(value)] == [ASK, GIVE]


@pytest.mark.parametrize(
    "value",
    [
        NOTE,
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no"}},
        {"ts": "2026-01-01", "dir": "req", "id": 1, "method": "tools/list", "params": {}},
        {"id": 1, "result": GIVE["result"]},
        {"id": 1, "result": {"serverInfo": {"name": "shop"}}},
    ],
)
def test_a_message_is_known_with_and_without_its_mark(value):
    assert [frame.message for frame in frames_in(value)] == [value]


def test_a_pair_may_leave_out_what_joins_it():
    request = {"method": "tools/call", "params": {"name": "get"}}
    asked, given = frames_in({"request": request, "response": GIVE["result"]})
    assert asked.message["id"] == given.message["id"]
    assert given.message["result"] == GIVE["result"]


def test_wrappers_tell_session_server_and_time():
    wrapped = {"session_id": 7, "server": {"name": "shop"}, "ts": "5", "message": ASK}
    outer = {"server": "mail", "events": [wrapped, {"message": ASK}]}
    one, two = frames_in(outer)
    assert (one.session, one.server, one.at) == ("7", "shop", (0, 5, ""))
    assert (two.session, two.server) == ("", "mail")


def test_a_request_asks_and_a_response_does_not():
    assert [is_request(message) for message in (ASK, GIVE, NOTE)] == [True, False, True]


@pytest.mark.parametrize(
    "value",
    [
        {"method": "GET", "params": {}},
        {"id": 1, "result": {"n": 1}},
        {"messages": [{"role": "user", "content": "hi"}]},
        {"message": "hello"},
        {"message": "{broken"},
        {"request": {"url": "a"}, "response": {"status": 200}},
        {"data": {"data": {"data": {"data": {"data": ASK}}}}},
        5,
    ],
)
def test_other_values_hold_no_messages(value):
    assert not holds_frames(value)
