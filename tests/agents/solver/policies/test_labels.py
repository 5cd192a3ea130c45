"""Tests of how words and fields name slots."""

from envwright.agents.solver.policies.labels import (
    EXACT,
    label_of_finding,
    label_of_mention,
    labelled_values,
)
from envwright.agents.solver.policies.mentions import mentions_of
from envwright.agents.solver.policies.parameters import Slot, understand
from support.searching import Search
from support.storefront import tool


def slot(name: str) -> Slot:
    return understand([tool("set_it", "", **{name: {"type": "string"}})])[0].slots[0]


def said(text: str, name: str) -> float:
    return label_of_mention(slot(name), mentions_of(text)[0])


def found(value: str, name: str) -> float:
    return max(
        label_of_finding(slot(name), finding) for finding in Search("").knowledge.about(value)
    )


def test_the_words_before_a_value_name_a_slot_better_than_those_after():
    assert said("with zip 10117", "zip") > said("with 10117 zip", "zip") > 0
    assert said("with 10117", "zip") == 0


def test_a_field_of_the_slots_own_name_is_the_best_label():
    assert found("201", "item_id") == EXACT
    assert found("paypal_12", "payment_method_id") == 1.0
    assert found("201", "order_id") == 0.0


def test_a_name_is_hardly_the_id_of_the_same_thing():
    assert found("Tea Pot", "item_id") < found("201", "item_id") / 3


def test_words_that_follow_a_slots_name_are_its_value():
    values = [
        one.value for one in labelled_values(slot("reason"), "The reason is: no longer needed.")
    ]
    assert values == ["no longer needed"]
    assert not list(labelled_values(slot("reason"), "for this reason we stop"))
