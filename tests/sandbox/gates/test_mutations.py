"""Mutations of calls."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import equal
from envwright.events.values import ToolCall
from envwright.sandbox.gates.mutations import Neighbours, mutations
from support.packages import CUSTOMERS, TICKETS, TOOLS

STATE = {"tables": {"customers": CUSTOMERS, "tickets": TICKETS}}
SCHEMAS = {tool["name"]: tool["parameters"] for tool in TOOLS}

NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)

VALUE = st.recursive(
    st.none() | st.booleans() | NUMBER | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def values(value, schema=None, state=STATE):
    parameters = {"type": "object", "properties": {"it": schema or {}}}
    call = ToolCall(name="t", arguments={"it": value, "other": 1})
    found = mutations(call, "it", parameters, Neighbours(state, value))
    return [mutation.call.arguments["it"] for mutation in found]


def test_a_key_turns_into_the_keys_beside_it_from_the_next_one_on():
    assert values("T-1003")[:3] == ["T-1004", "T-1001", "T-1002"]


def test_a_field_turns_into_that_field_of_other_rows():
    assert values("Linz")[:1] == ["Graz"]
    assert values("Moser")[:1] == ["Novak"]


def test_a_key_inside_a_row_turns_into_a_key_of_the_same_object():
    state = {"tables": {"shirts": {"s": {"variants": {"10": {}, "20": {}, "30": {}}}}}}
    assert values("20", state=state)[:2] == ["30", "10"]


def test_an_enumerated_value_turns_into_the_others_first():
    schema = SCHEMAS["close_ticket"]["properties"]["outcome"]
    assert values("repaired", schema)[:2] == ["replaced", "refused"]


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (True, [False]),
        (7, [8, 6]),
        ("2024-05-19", ["2024-05-10"]),
        ("ab-Z!", ["ab-A!"]),
        ("", ["x"]),
        ("é", ["éx"]),
        (None, ["x", 1]),
        ([], []),
        ({}, []),
    ],
)
def test_a_value_that_stands_nowhere_turns_into_a_near_one(value, other):
    assert values(value, state={"tables": {}}) == other


def test_a_list_has_an_item_changed_and_then_one_dropped():
    assert values([1, 2], state={}) == [[2, 2], [0, 2], [1, 3], [1, 1], [1]]


def test_an_object_has_one_inner_value_changed():
    assert values({"b": True, "a": {"c": 1}}, state={}) == [
        {"b": True, "a": {"c": 2}},
        {"b": True, "a": {"c": 0}},
        {"b": False, "a": {"c": 1}},
    ]


def test_only_one_argument_is_changed():
    call = ToolCall(name="t", arguments={"it": "T-1001", "other": "T-1002"})
    for mutation in mutations(call, "it", {}, Neighbours(STATE, call.arguments)):
        assert mutation.path[0] == "it"
        assert mutation.call.arguments["other"] == "T-1002"


@given(VALUE, st.none() | st.just({"enum": ["a", 1]}))
def test_mutations_differ_from_the_value_and_from_each_other_and_come_again(value, schema):
    found = values(value, schema)
    assert len(found) <= 12
    assert not any(equal(item, value) for item in found)
    for index, item in enumerate(found):
        assert not any(equal(item, other) for other in found[:index])
    assert found == values(value, schema)


def test_mutations_of_the_desk_fit_its_schemas():
    arguments = {"ticket_id": "T-1002", "outcome": "repaired"}
    call = ToolCall(name="close_ticket", arguments=arguments)
    for argument in arguments:
        found = mutations(call, argument, SCHEMAS["close_ticket"], Neighbours(STATE, arguments))
        jsonschema.validate(found[0].call.arguments, SCHEMAS["close_ticket"])


@pytest.mark.parametrize("state", [{}, [], {"tables": []}, {"files": {"a": "b"}}, None])
def test_a_state_without_tables_has_no_neighbours(state):
    assert list(Neighbours(state, "T-1001").of("T-1001")) == []


def test_only_what_is_wanted_is_known():
    near = Neighbours(STATE, ["T-1001"])
    assert list(near.of("T-1001"))
    assert not list(near.of("T-1002"))
