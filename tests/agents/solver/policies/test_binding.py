"""Tests of the ways to fill a call's arguments."""

from itertools import islice

from envwright.agents.solver.policies.binding import bind, bindings
from envwright.agents.solver.policies.shape import value_key
from support.searching import Search

RETURN, CANCEL = "return_delivered_items", "cancel_pending_order"


def test_arguments_stand_in_the_order_of_the_schema():
    search = Search('Return items of order #W2: Tea Pot. The payment method is "paypal_12".')
    binding = bind(search.evidence, search.focus(RETURN), floor=1.0)
    assert binding is not None
    assert binding.arguments == {
        "order_id": "#W2",
        "item_ids": ["202"],
        "payment_method_id": "paypal_12",
    }
    assert list(binding.arguments) == ["order_id", "item_ids", "payment_method_id"]


def test_the_weakest_slot_says_how_well_a_binding_is_supported():
    search = Search("Cancel order #W1, no longer needed.")
    binding = bind(search.evidence, search.focus(CANCEL), floor=1.0)
    assert binding is not None and binding.weakest >= 1.0
    assert bind(search.evidence, search.focus(CANCEL), floor=99.0) is None


def test_ways_differ_and_give_up_evidence_little_by_little():
    search = Search("Cancel an order of mine, no longer needed.")
    ways = list(islice(bindings(search.evidence, search.focus(CANCEL), floor=0.0), 4))
    orders = [way.arguments["order_id"] for way in ways]
    assert set(orders[:2]) == {"#W1", "#W3"}
    assert len({str(way.arguments) for way in ways}) == len(ways)


def test_what_is_banned_from_the_start_stays_out():
    search = Search("Cancel order #W1, no longer needed.")
    banned = frozenset([("order_id", value_key("#W1"))])
    ways = bindings(search.evidence, search.focus(CANCEL), 0.0, banned)
    assert all(way.arguments["order_id"] != "#W1" for way in ways)
