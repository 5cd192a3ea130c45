"""Tables: rows as they were before anything was written to them."""

from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.tables import mine_tables
from support.tool_logs import history, ok, order, trace


def get(key, status="open"):
    return ok("get_order", order(key, status), order_id=key)


def close(key):
    return ok("close_order", "ok", order_id=key)


def tables(*traces, writes=("ns.close_order",)):
    found = history(*traces)
    effects = {tool: "write" if tool in writes else "unproven" for tool in found.tools}
    return mine_tables(found, find_entities(found), effects)


def many(count=3, start=100):
    return [trace(f"more-{n}", get(f"o{n}")) for n in range(start, start + count)]


def test_the_first_sight_of_a_row_counts():
    table = tables(*many(), trace(1, get("o1"), close("o1"), get("o1", "closed")))["orders"]
    assert table.rows["o1"]["status"] == "open"
    assert (table.reader, table.conflicts) == ("ns.get_order", 0)


def test_a_row_that_is_seen_only_after_a_write_to_it_is_left_out():
    table = tables(*many(), trace(1, close("o1"), get("o1", "closed"), get("o2")))["orders"]
    assert "o1" not in table.rows
    assert "o2" in table.rows


def test_sights_that_differ_are_counted_and_most_tasks_decide():
    votes = [trace(n, get("o1", "open" if n else "lost")) for n in range(3)]
    table = tables(*many(), *votes)["orders"]
    assert (table.rows["o1"]["status"], table.conflicts) == ("open", 1)
    assert (table.sights, table.agreeing, table.epochs) == (5, 5, 2)


def test_a_tie_is_settled_by_content_whatever_the_order():
    votes = [trace(1, get("o1", "a")), trace(2, get("o1", "b"))]
    one, two = tables(*many(), *votes), tables(*votes[::-1], *many())
    assert one["orders"].rows == two["orders"].rows


def test_a_row_that_no_world_could_hold_is_left_out():
    deep = [0]
    for _ in range(80):
        deep = [deep]
    huge = trace(1, ok("get_order", order("o1", "open") | {"status": "x" * 200_000}, order_id="o1"))
    nested = trace(2, ok("get_order", order("o2", "open") | {"status": deep}, order_id="o2"))
    assert set(tables(*many(), huge, nested)["orders"].rows) == {"o100", "o101", "o102"}


def test_an_entity_that_nothing_reads_has_no_table():
    traces = [
        trace(n, ok("close_order", order(f"o{n}", "closed"), order_id=f"o{n}")) for n in range(4)
    ]
    assert tables(*traces) == {}
