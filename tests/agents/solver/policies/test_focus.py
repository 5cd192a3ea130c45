"""Tests of the part of an instruction that a call answers."""

from envwright.agents.solver.policies.vocabulary import stem
from support.searching import Search

RETURN = "return_delivered_items"
TOLD = (
    "My order id is #W1. Please return items of a delivered order. I mean the order whose status "
    'is "delivered". As the items, take the one whose name is "Tea Pot". As the payment method, '
    'take the one whose source is "paypal".'
)


def view(text: str, tool: str, name: str) -> str:
    search = Search(text)
    return search.focus(tool).of(search.slot(tool, name)).text


def test_each_slot_sees_the_clause_that_describes_its_thing_and_no_other():
    assert view(TOLD, RETURN, "order_id") == 'I mean the order whose status is "delivered".'
    assert view(TOLD, RETURN, "payment_method_id").endswith('source is "paypal".')
    assert "paypal" not in view(TOLD, RETURN, "item_ids")


def test_a_clause_about_one_slot_is_hidden_from_the_others():
    told = "Cancel the pending order #W1. The reason should be no longer needed."
    assert "reason" not in view(told, "cancel_pending_order", "order_id")
    assert "reason" in view(told, "cancel_pending_order", "reason")


def test_a_value_that_is_named_after_a_slot_describes_nothing():
    told = (
        'Change the shipping address of order #W1. Please use street "9 Fir Way" and city "Lyon".'
    )
    assert {"9 fir way", "lyon"} <= Search(told).focus("change_shipping_address").assigned
    assert "delivered" not in Search(TOLD).focus(RETURN).assigned


def test_references_to_what_was_said_before_are_known():
    text = "My order is #W1. Cancel it. It is about my order. It is about the same order."
    focus = Search(text).focus("cancel_pending_order")
    assert stem("order") in focus.repeated and stem("order") in focus.introduced
    assert focus.owners == ()
    told = "My order is #W1. Send a voucher. The customer is the customer of my order."
    assert Search(told).focus("send_voucher").owners == ("#W1",)
