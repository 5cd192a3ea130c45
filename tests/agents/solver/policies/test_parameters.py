"""Tests of what a tool's schema gives away."""

import pytest

from envwright.agents.solver.policies.parameters import Slot, Tool, understand
from envwright.agents.solver.policies.vocabulary import stem
from envwright.events.values import ToolSchema
from support.storefront import TOOLS, tool


def one(name: str, description: str = "", **properties: object) -> Tool:
    return understand([tool(name, description, **properties)])[0]


def slot(schema: dict[str, object], name: str = "value") -> Slot:
    return one("set_it", "", **{name: schema}).slots[0]


@pytest.mark.parametrize(
    ("name", "description", "reads"),
    [
        ("get_order", "", True),
        ("listAllOrders", "", True),
        ("order_details", "", True),
        ("flights", "Search flights between two cities.", True),
        ("cancel_order", "", False),
        ("update_ticket_status", "", False),
        ("check_out_book", "", False),
        ("escalate", "Hand a ticket to its team lead.", False),
    ],
)
def test_a_tool_is_taken_to_read_by_its_verb(name, description, reads):
    assert one(name, description).reads is reads


def test_examples_come_out_of_the_description():
    found = slot({"type": "string", "description": "The id, such as 'a_1' or \"b_2\"."})
    assert found.examples == ("a_1", "b_2")


def test_the_telling_stems_say_of_what_thing_an_id_is():
    found = slot({"type": "string"}, "new_item_ids")
    assert found.telling_stems == {stem("item")}
    assert slot({"type": "string"}, "id").telling_stems == {"id"}


def test_a_slot_identifies_by_its_name_or_because_it_looks_things_up():
    tools = {each.name: each for each in understand([*TOOLS, tool("get_branch", "", branch={})])}
    assert tools["get_order_details"].slots[0].identifies
    assert tools["get_branch"].slots[0].identifies
    assert not tools["find_customer_id_by_email"].slots[0].identifies
    assert tools["find_customer_id_by_email"].slots[0].is_email


@pytest.mark.parametrize(
    ("schema", "value", "fitted"),
    [
        ({"type": "integer"}, "3", 3),
        ({"type": "string"}, 19031, "19031"),
        ({"type": "string"}, True, None),
        ({"type": ["string", "null"]}, "x", "x"),
        ({"enum": ["a", "b"]}, "b", "b"),
        ({"enum": ["a", "b"]}, "c", None),
        ({"const": "a"}, "a", "a"),
        ({}, "x", "x"),
    ],
)
def test_a_slot_takes_what_its_schema_allows(schema, value, fitted):
    assert slot(schema).fitted(value) == fitted


def test_null_is_taken_only_where_the_schema_says_so():
    assert slot({"type": ["string", "null"]}).nullable and not slot({"type": "string"}).nullable


def test_the_parts_of_lists_and_objects_are_slots_too():
    person = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    people = slot({"type": "array", "items": person}, "people")
    assert people.holds_parts and [part.name for part in people.fields] == ["name"]
    assert [part.name for part in slot(person).fields] == ["name"]


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"properties": None},
        {"properties": {"x": True}},
        {"properties": {"x": {"type": "array", "items": False}}, "required": None},
        {"type": "object", "required": ["missing"]},
    ],
)
def test_odd_schemas_give_fewer_slots(parameters):
    assert len(understand([ToolSchema(name="odd", parameters=parameters)])[0].slots) <= 1


def test_a_schema_that_contains_itself_ends():
    node: dict[str, object] = {"type": "object", "properties": {}}
    node["properties"] = {"inner": node}
    assert one("set_tree", "", tree=node).slots[0].fields
