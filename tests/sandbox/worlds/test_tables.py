"""Tests of the table world: the conformance suite, and what is its own."""

import json
from typing import Any

import pytest

from envwright.events import encode
from envwright.events.errors import BadInputError
from envwright.events.values import ToolCall
from envwright.sandbox.worlds import CallResult, Footprint
from support.shop import TABLES, WORLD, open_shop, open_tool
from support.world_conformance import WorldCase, WorldConformance


def call(name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, arguments=arguments)


class TestTableWorldConforms(WorldConformance):
    def case(self) -> WorldCase:
        return WorldCase(
            open=open_shop,
            reads=(
                call("get_order", order_id="#1"),
                call("find_user", first_name="Ada", zip="75001"),
                call("list_policies"),
            ),
            writes=(
                call("cancel_order", order_id="#1", note="too late"),
                call("return_items", order_id="#2", item_ids=["b", "a"]),
                call("add_user", user_id=10, name="Cy"),
                call("return_items", order_id="#2", item_ids=[]),
            ),
            refused=(
                call("get_order", order_id="#9"),
                call("find_user", first_name="Bo", zip="75001"),
                call("cancel_order", order_id="#2"),
                call("add_user", user_id=7, name="Ada"),
            ),
        )


def test_the_state_is_tables_clock_counters_and_seed():
    world = open_shop(world={**WORLD, "counters": {"orders": 2}})
    world.reset(5)
    state = world.state()
    assert list(state) == ["tables", "seed", "clock", "counters"]
    assert state["tables"]["users"]["8"] == TABLES["users"]["rows"]["8"]
    assert (state["clock"], state["seed"]) == ("2024-01-01T00:00:00Z", 5)
    assert state["counters"] == {"orders": 2}


def test_clock_counters_and_seed_are_in_the_digest():
    worlds = [
        open_shop(),
        open_shop(world={"clock": "2024-01-01T00:00:01Z"}),
        open_shop(world={**WORLD, "counters": {"orders": 2}}),
    ]
    assert len({world.digest() for world in worlds}) == 3


def test_numbers_count_by_value_in_the_digest():
    program = {"op": "constant", "value": 1}
    digests = {
        open_tool(program, {"a": row}).digest()
        for row in ({"n": 25, "m": 1}, {"m": 1.0, "n": 25.0}, {"m": 1, "n": 2.5e1})
    }
    assert len(digests) == 1
    others = ({"n": 25, "m": True}, {"n": "25", "m": 1}, {"n": 25}, {"n": 25, "m": None})
    assert digests.isdisjoint(open_tool(program, {"a": row}).digest() for row in others)


def test_a_row_under_another_key_or_in_another_table_is_another_state():
    tables = [
        {"t": {"key": "id", "rows": {"a": {"n": 1}}}, "u": {"key": "id", "rows": {}}},
        {"t": {"key": "id", "rows": {"b": {"n": 1}}}, "u": {"key": "id", "rows": {}}},
        {"t": {"key": "id", "rows": {}}, "u": {"key": "id", "rows": {"a": {"n": 1}}}},
        {"t": {"key": "id", "rows": {"a": {"n": 1}}}},
        {
            "t": {"key": "id", "rows": {"a": {"n": 1}, "b": {"n": 1}}},
            "u": {"key": "id", "rows": {}},
        },
    ]
    users = {name: table for name, table in TABLES.items()}
    digests = {open_shop(tables={**users, **extra}).digest() for extra in tables}
    assert len(digests) == len(tables)


def test_the_digest_is_of_the_rows_as_they_are_now_wherever_they_come_from():
    world = open_shop()
    world.call("cancel_order", {"order_id": "#1", "note": "x"})
    world.call("add_user", {"user_id": 10, "name": "Cy"})
    tables = {name: {"key": "id", "rows": rows} for name, rows in world.state()["tables"].items()}
    assert open_shop(tables=tables).digest() == world.digest()


def test_a_change_and_its_reversal_lead_back_to_the_digest():
    setting = {"path": ["n"], "value": {"op": "arg", "path": ["n"]}}
    program = {
        "op": "update",
        "table": "t",
        "key": {"op": "const", "value": "a"},
        "missing": "Error: missing",
        "set": [setting],
        "returns": {"op": "row"},
    }
    schema = {"type": "object", "properties": {"n": {}}}
    world = open_tool(program, {"a": {"n": 1}, "b": {"n": 1}}, schema)
    first = world.digest()
    world.call("do", {"n": 2})
    assert world.digest() != first
    world.call("do", {"n": 1.0})
    assert world.digest() == first


def test_footprints_name_the_rows_that_were_read_and_written():
    world = open_shop()
    order = (Footprint(kind="orders", key="#1"),)
    assert world.call("get_order", {"order_id": "#1"}).reads == order
    cancelled = world.call("cancel_order", {"order_id": "#1"})
    assert (cancelled.reads, cancelled.writes) == (order, order)
    added = world.call("add_user", {"user_id": 10, "name": "Cy"})
    assert (added.reads, added.writes) == ((), (Footprint(kind="users", key="10"),))
    assert world.call("list_policies", {}) == CallResult(ok=True, value={"returns": {"days": 30}})


def test_a_snapshot_holds_only_what_was_written():
    world = open_shop()
    world.call("cancel_order", {"order_id": "#1"})
    snapshot = json.loads(world.snapshot())
    assert {name: list(rows) for name, rows in snapshot["written"].items()} == {"orders": ["#1"]}


def test_a_snapshot_of_other_tables_is_refused_with_the_remedy():
    world = open_shop(tables={**TABLES, "extra": {"key": "id", "rows": {}}})
    with pytest.raises(BadInputError, match="other tables .* opened from the same files"):
        open_shop().restore(world.snapshot())


@pytest.mark.parametrize(
    "change",
    [
        {"schema_version": 2},
        {"kind": "terminal"},
        {"seed": "7"},
        {"written": {"orders": {"#1": [1]}}},
        {"written": {"no such table": {}}},
        {"circumstances": {"clock": "yesterday"}},
        {"more": 1},
    ],
)
def test_a_snapshot_with_a_part_that_does_not_fit_is_refused(change):
    world = open_shop()
    with pytest.raises(BadInputError):
        world.restore(json.dumps(json.loads(world.snapshot()) | change).encode())


def test_results_have_sorted_keys_before_and_after_a_snapshot():
    world = open_shop()
    world.call("cancel_order", {"note": "b", "order_id": "#1"})
    row = world.call("get_order", {"order_id": "#1"}).value
    assert list(row) == sorted(row)
    world.restore(world.snapshot())
    assert encode(list(world.call("get_order", {"order_id": "#1"}).value)) == encode(list(row))


def test_texts_are_one_value_in_whatever_unicode_form_they_come():
    world = open_shop()
    world.call("add_user", {"user_id": 10, "name": "Zoe\u0308"})
    found = world.call("find_user", {"first_name": "Zo\u00eb", "zip": "10117"})
    assert found.value == "10"
