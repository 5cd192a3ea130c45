"""Tests of the table world: the conformance suite, and what is its own."""

import json
from typing import Any

import pytest

from envwright.events import encode
from envwright.events.errors import BadInputError
from envwright.events.values import ToolCall
from envwright.sandbox.worlds import CallResult, Footprint
from support.program_parts import (
    after,
    arg,
    const,
    effect,
    exists,
    let,
    obj,
    of_row,
    over,
    procedure,
    require,
    text,
    var,
)
from support.shop import PROGRAMS, TABLES, WORLD, open_shop, open_tool
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


class TestWorldOfProceduresConforms(WorldConformance):
    """The shop again, with tools that count, delete, and write several rows of two tables."""

    ORDER = of_row("orders", arg("order_id"))
    KNOWN = require(exists(ORDER), text("Error: ", arg("order_id"), " not found"))
    PROGRAMS: Any = {
        **PROGRAMS,
        "get_order": procedure([KNOWN], [], ORDER),
        "cancel_order": procedure(
            [KNOWN],
            [
                effect("set", "orders", arg("order_id"), "status", value=const("cancelled")),
                effect("set", "orders", arg("order_id"), "note", value=arg("note")),
                effect("add", "users", const("7"), "refunds", value=const(1)),
            ],
            after("orders", arg("order_id")),
        ),
        "return_items": procedure(
            [KNOWN],
            [
                {"op": "delete", "table": "orders", "key": arg("order_id")},
                {
                    "op": "insert",
                    "table": "orders",
                    "key": text("R", {"op": "ordinal", "counter": "returns"}),
                    "row": obj(items=over("sorted", arg("item_ids"))),
                },
            ],
            {"op": "keys", "table": "orders"},
        ),
    }

    def case(self) -> WorldCase:
        return WorldCase(
            open=lambda: open_shop(programs=self.PROGRAMS),
            reads=(call("get_order", order_id="#1"), call("list_policies")),
            writes=(
                call("cancel_order", order_id="#1", note="too late"),
                call("return_items", order_id="#2", item_ids=["b", "a"]),
                call("return_items", order_id="R1", item_ids=[]),
            ),
            refused=(
                call("get_order", order_id="#9"),
                call("cancel_order", order_id="R1"),
                call("return_items", order_id="x" * 5000, item_ids=[]),
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


NOTE = {"type": "object", "properties": {"n": {}}}
NUMBER = {"op": "text", "items": [const("note_"), {"op": "ordinal", "counter": "notes"}]}
TAKE = procedure(
    [let("key", NUMBER), require(exists({"op": "arg", "path": ["n"]}), "Error: never")],
    [
        {"op": "insert", "table": "t", "key": var("key"), "row": obj(n=arg("n", "v"))},
        effect("set", "t", arg("n", "of"), "note", value=var("key")),
    ],
    NUMBER,
)


def test_ordinals_go_on_from_call_to_call_and_only_when_a_call_succeeds():
    world = open_tool(TAKE, {"a": {}}, NOTE)
    results = [world.call("do", {"n": {"of": key}}) for key in ("a", "no such row", "a")]
    assert [result.value for result in results] == [
        "note_1",
        "Error: there is no no such row in t",
        "note_2",
    ]
    assert world.state()["counters"] == {"notes": 2}
    assert world.state()["tables"]["t"]["a"] == {"note": "note_2"}
    assert {(f.kind, f.key) for f in results[2].writes} == {
        ("t", "note_2"),
        ("t", "a"),
        ("counter", "notes"),
    }


def test_counters_are_rewound_and_restored():
    world, other = (open_tool(TAKE, {"a": {}}, NOTE) for _ in range(2))
    first = world.digest()
    world.call("do", {"n": {"of": "a"}})
    other.restore(world.snapshot())
    assert other.digest() == world.digest()
    assert other.call("do", {"n": {"of": "a"}}).value == "note_2"
    world.reset(0)
    assert world.digest() == first
    assert world.call("do", {"n": {"of": "a"}}).value == "note_1"


def test_a_row_that_was_deleted_stays_deleted_in_a_snapshot():
    delete = {"op": "delete", "table": "t", "key": arg("n")}
    program = procedure([], [delete], const(None))
    world, other = (open_tool(program, {"a": {}, "b": {"n": 1}}, NOTE) for _ in range(2))
    assert world.call("do", {"n": "a"}).ok
    assert world.state()["tables"]["t"] == {"b": {"n": 1}}
    assert world.digest() == open_tool(program, {"b": {"n": 1}}, NOTE).digest()
    other.restore(world.snapshot())
    assert other.digest() == world.digest()
    assert not other.call("do", {"n": "a"}).ok


def test_a_program_that_only_counts_writes_a_counter():
    world = open_tool(procedure([], [], NUMBER), {}, NOTE)
    result = world.call("do", {})
    assert (result.value, [(f.kind, f.key) for f in result.writes]) == (
        "note_1",
        [("counter", "notes")],
    )


ERROR = "Error: 503, try again"


def faulty(**fault: Any) -> Any:
    return open_shop(world={**WORLD, "faults": {"cancel_order": {"error": ERROR, **fault}}})


def cancel(world: Any, **arguments: Any) -> CallResult:
    return world.call("cancel_order", {"order_id": "#1", "note": "too late", **arguments})


def test_a_fault_strikes_once_and_the_same_call_succeeds_next() -> None:
    world = faulty()
    struck = cancel(world)
    assert (struck.ok, struck.value, struck.transient, struck.writes) == (False, ERROR, True, ())
    again = cancel(world)
    assert again.ok and not again.transient and again.writes


def test_a_fault_changes_no_table_but_the_state_knows_that_it_has_struck() -> None:
    world = faulty()
    before, start = world.state(), world.digest()
    cancel(world)
    after = world.state()
    assert before["tables"] == after["tables"]
    assert "faults" in before and "faults" not in after
    assert world.digest() != start


def test_calls_that_would_be_refused_use_up_no_fault() -> None:
    world = faulty()
    refused = cancel(world, order_id="#9")
    assert not refused.ok and not refused.transient
    assert cancel(world).transient


def test_a_fault_waits_for_its_call_and_no_other_tool_meets_it() -> None:
    world = faulty(after=1)
    assert world.call("get_order", {"order_id": "#1"}).ok
    assert not cancel(world).transient


def test_a_snapshot_has_what_is_left_of_a_fault() -> None:
    world = faulty(times=2)
    cancel(world)
    kept, digest = world.snapshot(), world.digest()
    cancel(world)
    assert cancel(world).ok
    world.restore(kept)
    assert world.digest() == digest
    assert cancel(world).transient and cancel(world).ok
    world.reset(0)
    assert cancel(world).transient


def test_a_fault_of_no_tool_is_refused() -> None:
    with pytest.raises(BadInputError, match="a fault of 'nonesuch'"):
        open_shop(world={**WORLD, "faults": {"nonesuch": {"error": ERROR}}})
