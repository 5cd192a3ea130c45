"""Fidelity: programs are run in real worlds and compared exactly."""

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.induction.fidelity import (
    Fidelity,
    open_tables,
    read_fidelity,
)
from envwright.sandbox.worlds import Argument, Lookup, RowAfter

TOOL = ToolSchema(
    name="close", parameters={"type": "object", "properties": {"order_id": {"type": "string"}}}
)
KEY = Argument(path=("order_id",))


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
