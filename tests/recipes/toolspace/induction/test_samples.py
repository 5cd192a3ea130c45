"""Samples: writes with their rows before and after, as far as a trace shows them."""

from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.induction.samples import bind_writers, gather
from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.tables import mine_tables
from support.tool_logs import failed, history, ok, order, trace

FEW = [trace(f"r{n}", ok("get_order", order(f"r{n}"), order_id=f"r{n}")) for n in range(4)]


def get(key, status="open"):
    return ok("get_order", order(key, status), order_id=key)


def close(key, value="ok"):
    return ok("close", value, order_id=key, why="done")


def evidence(*traces, tool="ns.close", writes=("ns.close", "ns.drop")):
    found = history(*FEW, *traces)
    effects = {name: "write" if name in writes else "read" for name in found.tools}
    tables = mine_tables(found, find_entities(found), effects)
    return gather(found, tables, effects, bind_writers(found, tables, effects))[tool]


def test_a_row_that_the_write_gives_back_is_the_row_after():
    row = order("r1", "closed")
    (sample,) = evidence(trace(1, get("r1"), close("r1", row))).samples
    assert (sample.before, sample.after, sample.value) == (order("r1"), row, row)


def test_a_later_read_shows_the_row_after():
    (sample,) = evidence(trace(1, get("r1"), close("r1"), get("r1", "closed"))).samples
    assert (sample.after, sample.value) == (order("r1", "closed"), "ok")


def test_a_read_after_another_write_shows_nothing():
    drop = ok("drop", "ok", order_id="r1")
    (sample,) = evidence(trace(1, get("r1"), close("r1"), drop, get("r1", "gone"))).samples
    assert sample.after is None


def test_without_a_read_before_there_is_no_row_before():
    (sample,) = evidence(trace(1, close("r1"), get("r1", "closed"))).samples
    assert sample.before is None


def test_writes_of_a_trace_build_on_each_other():
    calls = (get("r1"), close("r1", order("r1", "closed")), close("r1", order("r1", "shut")))
    first, second = evidence(trace(1, *calls)).samples
    assert second.before == first.after


def test_a_row_given_back_in_part_keeps_the_rest():
    rows = [trace(n, ok("get_order", order(f"s{n}", a=1, b=2), order_id=f"s{n}")) for n in range(3)]
    part = {"order_id": "s1", "status": "closed", "a": 1}
    seen = ok("get_order", order("s1", a=1, b=2), order_id="s1")
    (sample,) = evidence(*rows, trace(9, seen, close("s1", part))).samples
    assert sample.after == order("s1", "closed", a=1, b=2)


def test_a_row_in_a_field_of_the_result_changes_that_field_of_what_was_read():
    def look(key, status="open"):
        return ok("get_order", {"order": order(key, status), "links": [key]}, order_id=key)

    rows = [trace(f"q{n}", look(f"q{n}")) for n in range(4)]
    shut = ok("close", {"ok": True, "closed": order("q1", "shut")}, order_id="q1", why="done")
    found = history(*rows, trace(9, look("q1"), shut), trace(10, shut))
    effects = {name: "write" if name == "ns.close" else "read" for name in found.tools}
    tables = mine_tables(found, find_entities(found), effects)
    bound = gather(found, tables, effects, bind_writers(found, tables, effects))
    read, unread = sorted(bound["ns.close"].samples, key=lambda one: one.before is None)
    assert read.after == {"order": order("q1", "shut"), "links": ["q1"]}
    assert unread.after is None


def test_a_refusal_is_kept_with_the_row_that_it_was_about():
    (failure,) = evidence(
        trace(1, get("r1", "done"), failed("close", "Error: too late", order_id="r1", why="x")),
        trace(2, get("r2"), close("r2")),
    ).failures
    assert (failure.before, failure.text) == (order("r1", "done"), "Error: too late")


def test_a_busy_service_is_no_refusal():
    busy = Call("ns.close", {"order_id": "r1", "why": "x"}, False, "timeout", transient=True)
    assert evidence(trace(1, get("r1"), busy), trace(2, get("r2"), close("r2"))).failures == []


def test_a_write_that_names_no_row_is_not_bound():
    found = history(*FEW, trace(1, ok("ring", "ok", bell="b")))
    effects = {name: "write" if name == "ns.ring" else "read" for name in found.tools}
    tables = mine_tables(found, find_entities(found), effects)
    assert bind_writers(found, tables, effects) == {}
