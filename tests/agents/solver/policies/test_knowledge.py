"""Tests of what results teach."""

from typing import Any

from envwright.agents.solver.policies.knowledge import Described, Knowledge
from envwright.agents.solver.policies.vocabulary import stem, stems
from envwright.events.values import Observation, ToolCall
from support.storefront import CUSTOMERS, ORDERS

HEARD = frozenset(stems("Ada Low desk lamp wall clock tea pot paypal card pending delivered lyon"))


def learned(*results: tuple[str, dict[str, Any], Any]) -> Knowledge:
    knowledge = Knowledge(HEARD)
    for name, arguments, value in results:
        knowledge.learn(ToolCall(name=name, arguments=arguments), Observation(ok=True, value=value))
    return knowledge


def storefront() -> Knowledge:
    return learned(
        ("find_customer_id_by_email", {"email": "ada.low@example.com"}, "ada_low_1"),
        ("get_customer_details", {"customer_id": "ada_low_1"}, CUSTOMERS["ada_low_1"]),
        ("get_order_details", {"order_id": "#W1"}, ORDERS["#W1"]),
        ("get_order_details", {"order_id": "#W2"}, ORDERS["#W2"]),
    )


def labels(knowledge: Knowledge, value: object) -> set[str]:
    return {label for finding in knowledge.about(value) for label in finding.labels}


def test_a_bare_result_is_labelled_by_what_the_tool_gives():
    knowledge = learned(("find_customer_id_by_email", {}, "ada_low_1"))
    assert labels(knowledge, "ada_low_1") == {stem("customer"), "id"}


def test_a_listed_value_is_labelled_by_its_list():
    assert stem("order") in labels(storefront(), "#W3")


def test_a_key_that_is_an_id_is_labelled_by_what_it_keys():
    assert {stem("payment"), stem("method")} <= labels(storefront(), "paypal_12")


def test_a_mere_id_is_labelled_by_the_thing_around_it():
    knowledge = learned(("list_shop_branches", {}, [{"id": "B-1"}]))
    assert stem("branch") in labels(knowledge, "B-1")


def test_an_error_teaches_nothing():
    knowledge = Knowledge(HEARD)
    call = ToolCall(name="get_order_details", arguments={"order_id": "#W9"})
    knowledge.learn(call, Observation(ok=False, value="Error: order not found"))
    assert knowledge.findings == [] and len(knowledge.results) == 1


def test_a_value_is_described_by_its_record_and_by_what_it_leads_to():
    own, above = storefront().descriptions("201")
    assert Described("name", "Wall Clock") in own
    assert Described("status", "delivered") in above
    assert Described("name", "Tea Pot") in storefront().descriptions("#W2")[0]


def test_an_object_inside_describes_its_owner():
    assert Described("address city", "Lyon") in storefront().descriptions("#W1")[0]


def test_the_entry_that_led_to_a_result_is_known():
    entries = storefront().entries("ada_low_1", 1)
    assert Described("status", "delivered") in entries


def test_values_are_related_through_the_records_that_they_lie_in():
    knowledge = storefront()
    assert knowledge.related("201", "#W2") == 1.0
    assert knowledge.related("201", "#W1") == 0.0
    assert 0 < knowledge.related("paypal_12", "#W1") < 1


def test_texts_without_a_word_that_matters_describe_nothing():
    knowledge = learned(("get_thing", {}, {"colour": "purple", "name": "Tea Pot"}))
    assert knowledge.texts_of(0) == [Described("name", "Tea Pot")]


def test_a_result_of_any_depth_is_taken_in():
    deep: Any = "end"
    for _ in range(300):
        deep = [deep]
    assert learned(("get_thing", {}, deep)).findings
