"""Tests of the arguments of a call while they are found."""

from envwright.agents.solver.policies.filling import Filling
from envwright.agents.solver.policies.parameters import understand
from envwright.agents.solver.policies.shape import value_key
from support.searching import Search
from support.storefront import tool

RETURN, CHANGE = "return_delivered_items", "change_shipping_address"


def filling(search: Search, tool_name: str, *banned: tuple[str, str]) -> Filling:
    return Filling(search.evidence, search.focus(tool_name), frozenset(banned))


def test_the_surest_slot_is_filled_first_and_draws_the_others_to_its_thing():
    search = Search('Return items. I mean the order whose status is "delivered".')
    filled = filling(search, RETURN)
    assert filled.fill_scalars(filled.focus.tool.slots, floor=1.0)
    assert filled.settled["order_id"] == "#W2"
    assert filled.links("201") > filled.links("301")


def test_no_value_fills_two_slots():
    told = 'Change the shipping address of order #W1 to "Turin", "9 Fir Way".'
    filled = filling(Search(told), CHANGE)
    assert filled.fill_scalars(filled.focus.tool.slots, floor=1.0)
    assert {filled.settled["street"], filled.settled["city"]} == {"Turin", "9 Fir Way"}


def test_a_banned_value_is_not_taken_again():
    search = Search("Return items of order #W2.")
    filled = filling(search, RETURN, ("order_id", value_key("#W2")))
    filled.fill_scalars(filled.focus.tool.slots, floor=0.0)
    assert filled.settled["order_id"] != "#W2"


def test_what_else_a_slot_might_take_is_noted_with_its_loss():
    filled = filling(Search("Return items of order #W2."), RETURN)
    filled.fill_scalars(filled.focus.tool.slots, floor=0.0)
    doubts = {doubt.slot: doubt.loss for doubt in filled.doubts}
    assert doubts["order_id"] > doubts["payment_method_id"] >= 0


def test_a_required_slot_without_evidence_fails_the_call():
    filled = filling(Search("Return it.", results=()), RETURN)
    assert not filled.fill_scalars(filled.focus.tool.slots, floor=1.0)


def test_a_slot_that_nothing_was_said_for_takes_what_the_record_has():
    told = 'Change the shipping address of order #W1. The street should be "9 Fir Way".'
    filled = filling(Search(told), CHANGE)
    assert filled.fill_scalars(filled.focus.tool.slots, floor=1.0)
    assert filled.settled["city"] == "Lyon"


def test_a_slot_that_nothing_fits_takes_its_default_or_what_stands_for_none():
    slots = understand(
        [
            tool(
                "set_it",
                "",
                size={"type": "integer", "default": 3},
                urgent={"type": "boolean"},
                until={"type": ["integer", "null"]},
            )
        ]
    )[0].slots
    filled = filling(Search("Do it.", results=()), RETURN)
    assert filled.fill_scalars(slots, floor=1.0)
    assert filled.settled == {"size": 3, "urgent": False, "until": None}
