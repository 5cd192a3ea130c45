"""Tests of how lists and objects are put together."""

from typing import Any

from envwright.agents.solver.policies.filling import Filling
from envwright.agents.solver.policies.parameters import Slot, understand
from envwright.agents.solver.policies.parts import part_for
from support.searching import Search
from support.storefront import tool

RETURN = "return_delivered_items"


def part(told: str, slot: Slot | None = None, order: str | None = "#W2") -> Any:
    search = Search(told)
    filling = Filling(search.evidence, search.focus(RETURN), frozenset())
    if order is not None:
        filling.settle(search.slot(RETURN, "order_id"), order, 3.0, [])
    return part_for(slot or search.slot(RETURN, "item_ids"), filling)


def slot(**properties: Any) -> Slot:
    return understand([tool("set_it", "", **properties)])[0].slots[0]


def test_ids_that_are_named_are_taken_in_the_order_of_the_text():
    assert part("Return items 203 and 201 of order #W2.") == ["203", "201"]


def test_a_list_that_is_written_out_is_taken_as_it_is():
    assert part('Return items ["202"] of order #W2.') == ["202"]


def test_things_that_are_described_one_by_one_are_each_found():
    told = 'Return items. As the items, take the one whose price is 9 and the one named "Tea Pot".'
    assert part(told) == ["203", "202"]


def test_names_alone_describe_things_too():
    assert part("Return items of order #W2: Tea Pot; Door Bell") == ["202", "203"]


def test_all_of_them_are_those_of_the_thing_at_hand():
    assert sorted(part("Return all items of order #W2.")) == ["201", "202", "203"]


def test_a_thing_that_is_not_told_apart_is_the_only_one_there_is():
    assert part("Return items. As the item, take the only one there is.", order="#W1") == ["101"]


def test_rows_that_were_seen_are_cut_to_the_wanted_fields():
    row = {"type": "object", "properties": {"item_id": {}, "name": {}}, "required": ["item_id"]}
    wanted = slot(items={"type": "array", "items": row})
    assert part("Return items.", wanted)[0] == {"item_id": "101", "name": "Desk Lamp"}


def test_an_object_is_made_of_the_values_that_are_named_after_its_fields():
    text = {"type": "string"}
    wanted = slot(to={"type": "object", "properties": {"street": text, "city": text}})
    told = 'Return items. Please use street "9 Fir Way" and city "Turin".'
    assert part(told, wanted) == {"street": "9 Fir Way", "city": "Turin"}


def test_a_list_that_nothing_fits_is_left_out():
    wanted = slot(tags={"type": "array", "items": {"type": "integer"}})
    assert part("Return items.", wanted, order=None) is None
