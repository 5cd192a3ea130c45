"""Tests of what an instruction is taken to ask for."""

import pytest

from envwright.agents.solver.policies.goals import verbs_of
from envwright.agents.solver.policies.parameters import understand
from envwright.agents.solver.policies.vocabulary import stem
from support.searching import Search
from support.storefront import TOOLS


def asked(told: str) -> list[str]:
    return [goal.focus.tool.name for goal in Search(told).goals]


@pytest.mark.parametrize(
    ("told", "tool"),
    [
        ("Please cancel my order.", "cancel_pending_order"),
        ("I want my order cancelled.", "cancel_pending_order"),
        ("Could you please update where the order is sent?", "change_shipping_address"),
        ("Return the lamp.", "return_delivered_items"),
        ("Give the customer a voucher, please.", "send_voucher"),
    ],
)
def test_a_request_is_known_by_its_verb_and_its_things(told, tool):
    assert asked(told) == [tool]


def test_requests_come_in_the_order_of_the_text():
    told = "Return the lamp, then cancel order #W1 and send a voucher."
    assert asked(told) == ["return_delivered_items", "cancel_pending_order", "send_voucher"]


def test_what_asks_for_nothing_belongs_to_the_request_before():
    goals = Search("I am Ada. Cancel order #W1. The reason is: no longer needed. Thanks.").goals
    assert len(goals) == 1
    assert goals[0].focus.text == "Cancel order #W1. The reason is: no longer needed. Thanks."
    assert goals[0].focus.introduction == "I am Ada. "


@pytest.mark.parametrize(
    "told", ["What is the status of order #W1?", "Could you tell me my city?", "Hello."]
)
def test_a_question_or_a_greeting_is_no_request(told):
    assert asked(told) == []


def test_a_noun_that_is_also_a_verb_asks_for_nothing():
    assert asked("Cancel order #W1. It is about my return. The return is late.") == [
        "cancel_pending_order"
    ]


def test_each_of_a_series_is_a_goal_that_leaves_the_others_alone():
    goals = Search("Cancel orders #W1 and #W3.").goals
    assert [goal.banned for goal in goals] == [
        frozenset([("order_id", "text #W3")]),
        frozenset([("order_id", "text #W1")]),
    ]


def test_the_verbs_of_tools_that_read_begin_no_request():
    verbs = verbs_of(understand(TOOLS))
    assert stem("cancel") in verbs and stem("find") not in verbs
