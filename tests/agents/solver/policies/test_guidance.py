"""Tests of what the mined graph says about the tools of one task."""

from envwright.agents.solver.policies.guidance import Guidance, Mined
from envwright.agents.solver.policies.parameters import Place
from envwright.agents.solver.policies.vocabulary import stems
from support.storefront import TOOLS
from support.storefront_graph import KNOWLEDGE

NAMES = [tool.name for tool in TOOLS]
GUIDANCE = Guidance(Mined.model_validate(KNOWLEDGE), [*NAMES, "ponder", "never_logged"])
ORDERS = {
    Place("get_customer_details", ("orders", "*")),
    Place("get_order_details", ("order_id",)),
}


def test_effects_say_which_tools_read_and_the_unlogged_are_left_open():
    reads = GUIDANCE.lore.reads
    assert reads["get_order_details"] and reads["find_customer_id_by_email"]
    assert not reads["cancel_pending_order"] and not reads["send_voucher"]
    assert "never_logged" not in reads


def test_a_tool_without_effect_or_edge_is_inert():
    assert GUIDANCE.lore.inert == {"ponder"}
    assert "ponder" not in GUIDANCE.lore.reads


def test_arguments_that_key_one_table_share_every_origin():
    origins = GUIDANCE.lore.origins
    assert origins["get_order_details", "order_id"] == ORDERS
    assert origins["cancel_pending_order", "order_id"] == ORDERS


def test_a_member_comes_from_its_place_in_the_row():
    origins = GUIDANCE.lore.origins
    assert origins["return_delivered_items", "payment_method_id"] == {
        Place("get_customer_details", ("payment_methods", "*", "id"))
    }


def test_what_users_make_up_has_no_origin():
    assert ("change_shipping_address", "street") not in GUIDANCE.lore.origins
    assert ("cancel_pending_order", "reason") not in GUIDANCE.lore.origins


def test_a_place_of_little_support_is_an_accident():
    mined = {
        "graph": {
            "edges": [
                {
                    "kind": "data",
                    "source": f"a.{source}",
                    "target": "a.move",
                    "transfers": [{"output": ["x"], "input": ["b", "*"], "support": support}],
                }
                for source, support in (("often", 9), ("once", 1))
            ]
        },
        "tools": {f"a.{name}": {"effect": "read"} for name in ("often", "once", "move")},
    }
    guidance = Guidance(Mined.model_validate(mined), ["often", "once", "move"])
    assert guidance.lore.origins == {("move", "b"): {Place("often", ("x",))}}


def test_equal_names_are_those_of_the_namespace_that_knows_most_of_the_task():
    assert GUIDANCE.lore.reads["get_order_details"] is True


def test_a_name_with_its_namespace_before_it_is_the_tool_of_that_namespace():
    key = next(key for key in KNOWLEDGE["tools"] if key.endswith(".get_order_details"))
    told = "__".join(key.split("."))
    names = [told if name == "get_order_details" else name for name in NAMES]
    guidance = Guidance(Mined.model_validate(KNOWLEDGE), names)
    assert guidance.reader("orders") == told
    assert guidance.lore.reads[told]


def test_tables_are_found_by_their_keys_nouns_and_fields():
    assert GUIDANCE.table_of("get_order_details", "order_id") == "orders"
    assert GUIDANCE.table_of("cancel_pending_order", "order_id") == "orders"
    assert GUIDANCE.table_of("cancel_pending_order", "reason") is None
    assert GUIDANCE.table_of("never_logged", "order_id") is None
    assert GUIDANCE.reader("orders") == "get_order_details"
    assert GUIDANCE.readers(frozenset(stems("order"))) == {"get_order_details"}
    assert GUIDANCE.readers_of(frozenset(stems("city"))) == {"get_customer_details"}


def test_a_task_without_the_readers_of_its_tables_is_told_nothing_about_them():
    guidance = Guidance(Mined.model_validate(KNOWLEDGE), ["cancel_pending_order"])
    assert guidance.lore.origins == {}
    assert guidance.reader("orders") is None
    assert guidance.readers(frozenset(stems("order"))) == frozenset()
