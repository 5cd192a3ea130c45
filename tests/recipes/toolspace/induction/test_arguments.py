"""Arguments: where the values of a write came from."""

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.arguments import Surroundings, free_pool, mine_domains
from envwright.recipes.toolspace.mining.links import Link
from support.clinic import clinic
from support.samples import changes, table

CARDS = frozenset({("cards",)})


def mined(samples, enum=None, users=None):
    properties = {"kind": {"enum": enum}} if enum else {}
    schema = ToolSchema(name="t", parameters={"type": "object", "properties": properties})
    orders = table({s.key: s.before or {"order_id": s.key} for s in samples})
    tables, links = {"orders": orders}, ()
    if users:
        tables["users"] = table(users, "user_id", "users")
        links = (Link(table="orders", pattern=("user_id",), target="users"),)
    around = Surroundings(tables, {"orders": frozenset(), "users": CARDS}, links)
    return mine_domains(schema, samples, "orders", "order_id", around)


def test_the_key_of_the_written_row_is_the_target():
    domains = mined(changes(4, lambda row, args: {}))
    assert domains["order_id"].kind == "target"


def test_an_enumeration_is_a_choice_of_what_was_seen():
    samples = changes(4, lambda row, args: {}, kind=lambda n: "ab"[n % 2])
    domain = mined(samples, enum=["a", "b", "c"])["kind"]
    assert (domain.kind, domain.values) == ("choice", ("a", "b"))


def test_booleans_are_a_choice():
    samples = changes(4, lambda row, args: {}, now=lambda n: n % 2 == 0)
    assert mined(samples)["now"].values == (False, True)


def test_values_out_of_the_row_are_members():
    samples = changes(
        5,
        lambda row, args: {},
        start=lambda n: {"items": [{"item_id": f"i{n}a"}, {"item_id": f"i{n}b"}]},
        item_ids=lambda n: [f"i{n}b"],
    )
    domain = mined(samples)["item_ids"]
    assert (domain.kind, domain.origin, domain.many) == ("member", "row", True)
    assert domain.pattern == ("items", "*", "item_id")


def test_values_out_of_a_linked_row_are_members_of_it():
    users = {f"u{n}": {"user_id": f"u{n}", "cards": {f"c{n}": {"id": f"c{n}"}}} for n in range(5)}
    samples = changes(
        5, lambda row, args: {}, start=lambda n: {"user_id": f"u{n}"}, card_id=lambda n: f"c{n}"
    )
    domain = mined(samples, users=users)["card_id"]
    assert (domain.origin, domain.through, domain.table) == ("link", ("user_id",), "users")
    assert domain.pattern == ("cards", "*", "id")


def test_keys_of_another_table_are_keys():
    users = {f"u{n}": {"user_id": f"u{n}", "cards": {}} for n in range(5)}
    samples = changes(5, lambda row, args: {}, to=lambda n: f"u{n}")
    domain = mined(samples, users=users)["to"]
    assert (domain.kind, domain.table) == ("key", "users")


def test_all_else_is_what_users_make_up_and_kept_together():
    samples = changes(3, lambda row, args: {}, a=lambda n: f"x{n}", b=lambda n: n)
    domains = mined(samples)
    assert (domains["a"].kind, domains["b"].kind) == ("free", "free")
    assert free_pool(samples, domains) == [{"a": f"x{n}", "b": n} for n in range(3)]


def test_an_argument_that_most_calls_leave_out_has_no_domain():
    samples = changes(5, lambda row, args: {}, note=lambda n: f"n{n}")
    for one in samples[:3]:
        del one.arguments["note"]
    assert "note" not in mined(samples)


def test_the_key_of_a_new_row_is_fresh_and_the_others_are_keys():
    domains = clinic().tool("clinic.book_visit").domains
    kinds = {name: domain.kind for name, domain in domains.items()}
    assert kinds == {"visit_id": "fresh", "patient_id": "key", "doctor_id": "key", "day": "free"}
