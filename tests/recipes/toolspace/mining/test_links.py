"""Links: fields that hold keys of other tables, and mappings by id."""

from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.links import mappings, mine_links
from envwright.recipes.toolspace.mining.tables import mine_tables
from support.tool_logs import history, ok, trace


def tables(**rows):
    traces = [
        trace(f"{noun}{key}", ok(f"get_{noun}", row, **{f"{noun}_id": key}))
        for noun, of_noun in rows.items()
        for key, row in of_noun.items()
    ]
    found = history(*traces)
    return mine_tables(found, find_entities(found), dict.fromkeys(found.tools, "unproven"))


def links(**rows):
    found = tables(**rows)
    mined = mine_links(found, {name: mappings(table) for name, table in found.items()})
    return [(link.table, ".".join(link.pattern), link.target) for link in mined]


USERS = {f"u{n}": {"name": f"n{n}", "age": 20 + n} for n in range(6)}


def test_a_field_of_keys_is_a_link():
    orders = {f"o{n}": {"user_id": f"u{n}", "n": n + 50} for n in range(6)}
    assert links(user=USERS, order=orders) == [("orders", "user_id", "users")]


def test_a_list_of_keys_is_a_link():
    carts = {f"c{n}": {"members": [f"u{n}", f"u{(n + 1) % 6}"], "n": 50 + n} for n in range(6)}
    assert links(user=USERS, cart=carts) == [("carts", "members.*", "users")]


def test_the_name_of_the_key_makes_up_for_rows_that_were_never_read():
    orders = {f"o{n}": {"user_id": f"u{n}", "n": n + 50} for n in range(40)}
    assert links(user=USERS, order=orders) == [("orders", "user_id", "users")]


def test_a_few_known_values_under_another_name_are_no_link():
    orders = {f"o{n}": {"note": f"u{n}", "n": n + 50} for n in range(40)}
    assert links(user=USERS, order=orders) == []


def test_small_numbers_are_keys_by_accident_unless_the_name_says_so():
    parts = {n: {"label": f"p{n}", "size": 70 + n} for n in range(1, 7)}
    orders = {f"o{n}": {"count": n, "part_id": n, "x": n + 90} for n in range(1, 7)}
    assert links(part=parts, order=orders) == [("orders", "part_id", "parts")]


def test_a_row_that_repeats_its_own_key_does_not_link_to_itself():
    orders = {f"o{n}": {"order_id": f"o{n}", "n": n} for n in range(6)}
    assert links(order=orders) == []


def test_objects_that_go_by_id_are_told_from_objects_with_fields():
    users = {
        f"u{n}": {"cards": {f"card{n}": {"kind": "visa"}}, "address": {"city": "x", "zip": f"{n}"}}
        for n in range(6)
    }
    assert mappings(tables(user=users)["users"]) == {("cards",)}
