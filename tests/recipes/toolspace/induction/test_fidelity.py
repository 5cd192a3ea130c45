"""Fidelity: programs are run in real worlds and compared exactly."""

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.induction.fidelity import (
    Fidelity,
    open_tables,
    read_fidelity,
    write_fidelity,
)
from envwright.sandbox.worlds import Argument, Assignment, Const, Lookup, RowAfter, Update
from support.samples import sample

TOOL = ToolSchema(
    name="close", parameters={"type": "object", "properties": {"order_id": {"type": "string"}}}
)
KEY = Argument(path=("order_id",))
PROGRAM = Update(
    table="orders",
    key=KEY,
    missing="no",
    set=(Assignment(path=("status",), value=Const(value="closed")),),
    returns=RowAfter(),
)


def test_a_sample_is_exact_if_result_and_row_are():
    after = {"status": "closed"}
    samples = [
        sample(1, {"status": "open"}, after, after),
        sample(2, {"status": "open"}, {"status": "lost"}, after),
        sample(3, {"status": "open"}, after, "ok"),
        sample(4, {"status": "open"}, None, after),
    ]
    assert write_fidelity(TOOL, PROGRAM, "orders", samples) == Fidelity(4, 2)


def test_calls_on_one_row_do_not_build_on_each_other():
    after = {"status": "closed"}
    again = [sample(1, {"status": "open"}, after, after) for _ in range(3)]
    assert write_fidelity(TOOL, PROGRAM, "orders", again) == Fidelity(3, 3)


def test_reads_are_compared_with_their_errors():
    look = Lookup(table="orders", key=KEY, missing="Error: none", returns=RowAfter())
    tool = ToolSchema(name="get", parameters=TOOL.parameters)
    world = open_tables([tool], {"get": look}, {"orders": {"o1": {"n": 1}}}, {"orders": "order_id"})
    calls = [
        Call("ns.get", {"order_id": "o1"}, True, {"n": 1}),
        Call("ns.get", {"order_id": "o2"}, False, "Error: none"),
        Call("ns.get", {"order_id": "o1"}, True, {"n": 2}),
    ]
    assert read_fidelity(world, "get", calls) == Fidelity(3, 2)


def test_nothing_to_compare_is_no_fidelity():
    assert Fidelity(0, 0).share == 0.0
    assert Fidelity(4, 3).share == 0.75
