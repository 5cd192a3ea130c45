"""Worlds: programs run on the rows of other tasks, and on what a trace has read itself."""

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.induction.worlds import Stage
from envwright.sandbox.worlds import Argument, Assignment, Const, Lookup, RowAfter, Update
from support.samples import table
from support.tool_logs import ok, order

KEY = Argument(path=("order_id",))
CLOSE = Update(
    table="orders",
    key=KEY,
    missing="Error: none",
    guards=(),
    set=(Assignment(path=("status",), value=Const(value="closed")),),
    append=(),
    returns=RowAfter(),
)
GET = Lookup(table="orders", key=KEY, missing="Error: none", returns=RowAfter())
PROGRAMS = {"ns.close": CLOSE, "ns.get": GET, "other.get": Lookup(**{**dict(GET), "table": "old"})}
SCHEMAS = {
    tool: ToolSchema(
        name=tool.partition(".")[2],
        parameters={"type": "object", "properties": {"order_id": {"type": "string"}}},
    )
    for tool in (*PROGRAMS, "ns.unlearnt")
}
TABLES = {"orders": table({"o1": order("o1")}), "old": table({"o1": order("o1", "old")})}
STAGE = Stage(SCHEMAS, PROGRAMS, TABLES, {"orders": "order_id", "old": "order_id"})


def test_what_a_call_writes_is_there_for_the_next_one():
    world = STAGE.open()
    closed = world.predict(ok("close", None, order_id="o1"))
    assert (closed.ok, closed.touched) == (True, {("orders", "o1")})
    assert world.predict(ok("get", None, order_id="o1")).value == order("o1", "closed")


def test_every_simulation_starts_from_the_rows_of_the_tables():
    STAGE.open().predict(ok("close", None, order_id="o1"))
    assert STAGE.open().predict(ok("get", None, order_id="o1")).value == order("o1")


def test_a_row_that_was_put_in_place_is_used_from_then_on():
    world = STAGE.open()
    assert not world.holds(("orders", "o2"))
    assert world.predict(ok("get", None, order_id="o2")).value == "Error: none"
    world.put(("orders", "o2"), order("o2", "late"))
    world.put(("orders", "o1"), order("o1", "read again"))
    assert world.holds(("orders", "o2"))
    assert world.predict(ok("get", None, order_id="o2")).value == order("o2", "late")
    assert world.predict(ok("get", None, order_id="o1")).value == order("o1", "read again")


def test_a_row_that_one_simulation_was_given_is_unknown_to_the_next():
    STAGE.open().put(("orders", "o2"), order("o2"))
    assert not STAGE.open().holds(("orders", "o2"))


def test_tools_of_two_services_may_share_a_name():
    world = STAGE.open()
    own, other = (
        world.predict(Call(f"{service}.get", {"order_id": "o1"}, True, None))
        for service in ("ns", "other")
    )
    assert (own.value, other.value) == (order("o1"), order("o1", "old"))
    assert world.knows("other.get")
    assert not world.knows("ns.unlearnt")
