"""Domains: arguments that hold keys of one table."""

from envwright.recipes.toolspace.mining.domains import mine_domains
from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.tables import mine_tables
from support.tool_logs import history, ok, order, trace


def domains(*traces):
    found = history(*traces)
    effects = dict.fromkeys(found.tools, "read")
    return mine_domains(found, mine_tables(found, find_entities(found), effects))


def get(key):
    return ok("get_order", order(key), order_id=key)


def test_arguments_that_hold_keys_of_one_table_share_its_domain():
    traces = [trace(n, get(f"o{n}"), ok("ship", "ok", parcel=f"o{n}", to="me")) for n in range(4)]
    assert domains(*traces) == {
        ("ns.get_order", "order_id"): "orders",
        ("ns.ship", "parcel"): "orders",
    }


def test_numbers_are_keys_only_where_the_name_says_so():
    rows = [ok("get_order", order(n), order_id=n) for n in range(4)]
    traces = [trace(n, rows[n], ok("rate", "ok", stars=n, order=n)) for n in range(4)]
    assert ("ns.rate", "stars") not in domains(*traces)
    assert domains(*traces)["ns.rate", "order"] == "orders"


def test_a_few_hits_make_no_domain():
    traces = [trace(n, get(f"o{n}"), ok("note", "ok", text=f"o{n}")) for n in range(3)]
    others = [trace(f"x{n}", ok("note", "ok", text=f"word {n}")) for n in range(20)]
    assert ("ns.note", "text") not in domains(*traces, *others)
