"""The disguise: personal values vanish from all sources, and everything still fits together."""

import json
from typing import Any

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes.recipe import Disguise
from envwright.recipes.toolspace.profile import mine
from envwright.recipes.toolspace.readers import disguised, read_source
from support.clinic import lines, records, trajectories

KEY = b"secret"
EMAIL = "mia.li@mail.org"


def disguise(*values: Any, fields: tuple[str, ...] = ("email",), key: bytes = KEY) -> list[Any]:
    """Disguise one source of JSON lines; returns its elements."""
    ((_, data),) = disguised([("log.jsonl", lines(list(values)))], Disguise(fields, key))
    return [json.loads(line) for line in data.splitlines()]


def call(**arguments: Any) -> dict[str, Any]:
    """A record of a call."""
    return {"trace_id": "t", "tool": "get", "args": arguments, "result": "fine"}


def test_a_value_has_one_pseudonym_wherever_it_occurs_in_whichever_source():
    chat = {
        "messages": [
            {"role": "user", "content": f"I am {EMAIL}."},
            {
                "role": "assistant",
                "function_call": {"name": "find", "arguments": json.dumps({"who": EMAIL})},
            },
            {
                "role": "function",
                "content": json.dumps({"email": EMAIL, "friends": {EMAIL: 1}, "note": "ask Mia"}),
            },
        ]
    }
    flat = call(address=EMAIL)
    sources = [("a.json", json.dumps([chat]).encode()), ("b.jsonl", lines([flat]))]
    (_, one), (_, two) = disguised(sources, Disguise(("email",), KEY))
    assert EMAIL.encode() not in one + two
    messages = json.loads(one)["messages"]
    given = json.loads(messages[2]["content"])
    name = given["email"]
    assert name.endswith(".example")
    assert messages[0]["content"] == f"I am {name}."
    assert json.loads(messages[1]["function_call"]["arguments"]) == {"who": name}
    assert given == {"email": name, "friends": {name: 1}, "note": "ask Mia"}
    assert json.loads(two) == {**flat, "args": {"address": name}}


def test_a_path_names_a_field_more_closely_than_its_name():
    value = call(home={"city": "Bergen"}, work={"city": "Dublin"})
    (found,) = disguise(value, fields=("home.city",))
    assert found["args"]["work"] == {"city": "Dublin"}
    assert found["args"]["home"]["city"] != "Bergen"


def test_everything_inside_a_field_counts():
    value = call(person={"name": "Mia", "ages": [4155, True], "of": {"x": "Holm"}})
    (found,) = disguise(value, fields=("PERSON",))
    person = found["args"]["person"]
    assert person["ages"][1] is True
    assert len(str(person["ages"][0])) == 4
    assert not {"Mia", "Holm", 4155} & {person["name"], person["of"]["x"], person["ages"][0]}


def test_a_field_that_formats_use_too_counts_in_data_alone():
    values = [
        {**call(name="Mia"), "user": "this is Mia"},
        {"type": "function", "function": {"name": "get", "parameters": {"properties": {}}}},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"serverInfo": {"name": "shop"}}},
        {"jsonrpc": "2.0", "id": 2, "result": {"structuredContent": {"name": "Bo Holm"}}},
        {"role": "tool", "name": "get", "content": '{"name": "Cy Marsh"}'},
        {"from": "function_call", "value": '{"name": "get", "arguments": {"name": "Di Novak"}}'},
    ]
    found = disguise(*values, fields=("name",))
    told = json.dumps(found)
    assert not [name for name in ("Mia", "Bo Holm", "Cy Marsh", "Di Novak") if name in told]
    assert told.count("get") == json.dumps(values).count("get")
    assert "shop" in told


def test_words_of_the_formats_are_no_personal_data_outside_the_field():
    messages = [{"role": "user", "content": "hi"}, {"role": "tool", "content": "no"}]
    found = disguise(call(author="user"), {"messages": messages}, fields=("author",))
    assert found[0]["args"]["author"] != "user"
    assert found[1] == {"messages": messages}


def test_what_nothing_is_replaced_in_stays_as_it_is():
    value = call(email=EMAIL)
    rest = {"trace_id": "u", "tool": "get", "args": '{"a":  1.0}', "result": ["é", 1, None, True]}
    assert disguise(value, rest)[1] == rest


def test_what_cannot_be_read_is_left_out_and_still_a_skip():
    data = lines([call(email=EMAIL)]) + f'{{"email": "{EMAIL}"\n'.encode() + lines([call(k=1)])
    ((_, found),) = disguised([("log", data)], Disguise(("email",), KEY))
    assert EMAIL.encode() not in found
    before, after = read_source("log", data), read_source("log", found)
    assert (after.calls, after.skipped) == (before.calls, before.skipped) == (2, 1)
    assert after.skips[0].place == before.skips[0].place


def test_what_is_no_json_stays_unusable():
    data = b'{"trace_id": 1, "tool": "get", "args": {"email": "%s", "k": NaN}, "result": 1}\n'
    data = data % EMAIL.encode() + lines([call(k=[1])])
    ((_, found),) = disguised([("log", data)], Disguise(("email",), KEY))
    assert (read_source("log", found).calls, read_source("log", found).skipped) == (1, 1)
    deep = call(email=EMAIL, k=json.loads("[" * 200 + "]" * 200))
    ((_, found),) = disguised([("log", lines([deep, call()]))], Disguise(("email",), KEY))
    assert (read_source("log", found).calls, read_source("log", found).skipped) == (1, 1)


def test_without_a_key_the_sources_are_the_key():
    one, again = (disguise(call(email=EMAIL), key=b"") for _ in range(2))
    other = disguise(call(email=EMAIL), call(k=1), key=b"")
    assert one == again
    assert other[0] != one[0]


def test_a_field_that_no_source_has_is_refused():
    with pytest.raises(BadInputError, match=r"no source has a field 'e_mail', 'x\.y'"):
        disguise(call(email=EMAIL), fields=("email", "x.y", "e_mail"))


def test_a_source_that_cannot_be_read_is_refused():
    with pytest.raises(BadInputError, match="the file is empty"):
        disguised([("log", b"")], Disguise(("email",), KEY))


def test_a_disguised_log_is_mined_like_the_real_one():
    plain = [
        ("a.jsonl", lines(records(36, service=""))),
        ("b.json", json.dumps(trajectories(72)[36:]).encode()),
    ]
    fields = ("email", "patient_id", "args.doctor_id", "name", "author")
    hidden = disguised(plain, Disguise(fields, KEY))
    told = b"".join(data for _, data in hidden)
    assert not [text for text in (b"pat-0", b"@example.org", b"Ada Holm") if text in told]
    before, after = (mine([read_source(*source) for source in each]) for each in (plain, hidden))
    assert after["tools"].keys() == before["tools"].keys()
    for tool, found in before["tools"].items():
        assert after["tools"][tool]["status"] == found["status"]
    sizes = [{name: len(t["rows"]) for name, t in p["tables"].items()} for p in (before, after)]
    assert sizes[0] == sizes[1]
