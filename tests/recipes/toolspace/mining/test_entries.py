"""Entries: what users know, as far as the log shows it."""

from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.entries import mine_entries
from envwright.recipes.toolspace.mining.links import Link
from envwright.recipes.toolspace.mining.tables import mine_tables
from support.tool_logs import history, ok, order, trace


def entries(said, finders=None, links=()):
    traces = [
        trace(n, ok("get_order", order(f"ord-{n}"), order_id=f"ord-{n}"), said=said.format(n))
        for n in range(6)
    ]
    found = history(*traces)
    tables = mine_tables(found, find_entities(found), dict.fromkeys(found.tools, "unproven"))
    return [(e.tool, e.kind) for e in mine_entries(found, tables, finders or {}, links)]


def test_a_finder_is_an_entry():
    assert entries("hello", {"ns.find": "orders"}) == [("ns.find", "find")]


def test_a_key_that_users_say_is_an_entry():
    assert entries("please cancel ord-{}") == [("ns.get_order", "lookup")]


def test_a_key_that_users_do_not_say_is_none_beside_a_finder():
    assert ("ns.get_order", "lookup") not in entries("cancel it", {"ns.find": "orders"})


def test_where_nothing_shows_what_users_know_the_rows_that_nothing_leads_to_are_entries():
    assert entries("") == [("ns.get_order", "lookup")]
    link = Link(table="users", pattern=("orders",), target="orders")
    assert entries("", links=(link,)) == [("ns.get_order", "lookup")]
