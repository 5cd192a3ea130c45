"""Entities: tools that give back rows of one kind are found with their key arguments."""

from dataclasses import replace

from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.values import ABSENT
from support.tool_logs import history, ok, order, trace


def reads(count=4, tool="get_order"):
    return [trace(n, ok(tool, order(f"o{n}", total=n), order_id=f"o{n}")) for n in range(count)]


def test_a_tool_with_one_argument_that_gives_rows_makes_an_entity():
    (entity,) = find_entities(history(*reads()))
    assert (entity.name, entity.argument, entity.key_field) == ("orders", "order_id", "order_id")
    assert entity.key("ns.get_order", {"order_id": "o1"}) == "o1"


def test_a_row_need_not_repeat_its_key():
    traces = [
        trace(n, ok("get_user", {"name": f"n{n}", "age": n}, user_id=f"u{n}")) for n in range(4)
    ]
    (entity,) = find_entities(history(*traces))
    assert (entity.name, entity.key_field) == ("users", None)


def test_tools_that_give_such_rows_by_the_same_key_join():
    write = trace(9, ok("close_order", order("o1", "closed", total=1), order_id="o1", why="done"))
    (entity,) = find_entities(history(*reads(), write))
    assert entity.tools == {"ns.get_order": "order_id", "ns.close_order": "order_id"}


def test_a_key_is_known_by_the_field_that_repeats_it_whatever_its_argument_is_called():
    write = trace(9, ok("close", order("o1", "closed", total=1), which="o1", why="done"))
    (entity,) = find_entities(history(*reads(), write))
    assert entity.tools["ns.close"] == "which"


def test_an_argument_that_the_row_does_not_repeat_is_no_key():
    write = trace(9, ok("copy", order("o1", total=1), order_id="o2", why="done"))
    (entity,) = find_entities(history(*reads(), write))
    assert "ns.copy" not in entity.tools


def test_two_keys_make_no_entity():
    assert find_entities(history(*reads(2))) == []


def test_rows_of_another_shape_are_another_entity():
    other = [trace(n, ok("get_bill", {"sum": n, "due": n}, order_id=f"o{n}")) for n in range(4)]
    names = [entity.name for entity in find_entities(history(*reads(), *other))]
    assert names == ["orders", "orders_by_order_id"]


def test_a_key_without_a_noun_is_named_after_the_tool():
    traces = [
        trace(n, ok("find_customer_by_email", {"email": f"{n}@x", "ref": n}, email=f"{n}@x"))
        for n in range(4)
    ]
    assert find_entities(history(*traces))[0].name == "customers"


def test_namespaces_do_not_share_entities():
    others = [
        replace(each, calls=tuple(replace(c, tool=f"other.{c.tool[3:]}") for c in each.calls))
        for each in reads(8)[4:]
    ]
    found = find_entities(history(*reads(), *others))
    assert [entity.name for entity in found] == ["orders", "orders_by_order_id"]
    assert [len(entity.tools) for entity in found] == [1, 1]


def held(n, **more):
    return {"ok": True, "order": order(f"o{n}", total=n), **more}


def test_a_row_may_stand_in_a_field_of_the_result_and_in_another_field_of_another_tools():
    reads = [trace(n, ok("show", held(n, links=[]), order_id=f"o{n}")) for n in range(4)]
    write = trace(9, ok("close", {"closed": order("o1", total=1)}, order_id="o1", why="done"))
    (entity,) = find_entities(history(*reads, write))
    assert entity.places == {"ns.show": ("order",), "ns.close": ("closed",)}
    assert (entity.key_field, entity.fields) == ("order_id", {"order_id", "status", "total"})
    assert entity.part("ns.show", held(1)) == order("o1", total=1)


def test_a_result_that_repeats_its_key_is_the_row_whatever_it_holds():
    rows = [
        trace(n, ok("get_order", order(f"o{n}", home={"order_id": f"o{n}"}), order_id=f"o{n}"))
        for n in range(4)
    ]
    (entity,) = find_entities(history(*rows))
    assert entity.places == {}


def test_what_a_tool_shows_of_a_row_takes_its_place_in_what_the_reader_gave():
    reads = [trace(n, ok("show", held(n, links=["a"]), order_id=f"o{n}")) for n in range(4)]
    write = trace(9, ok("close", {"closed": order("o1", total=1)}, order_id="o1", why="done"))
    (entity,) = find_entities(history(*reads, write))
    before, part = held(1, links=["a"]), {"closed": {"order_id": "o1", "status": "shut"}}
    after = entity.shown("ns.close", part, "ns.show", before)
    assert after == {"ok": True, "order": order("o1", "shut", total=1), "links": ["a"]}
    assert before == held(1, links=["a"])
    assert entity.shown("ns.close", part, "ns.show", ABSENT) is ABSENT
    assert entity.shown("ns.close", {"closed": None}, "ns.show", before) is ABSENT
