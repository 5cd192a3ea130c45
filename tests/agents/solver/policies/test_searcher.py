"""Tests of the searcher on a storefront, told in several ways of speaking."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envwright.agents.solver.policies import get_policy
from envwright.events.values import Observation, TaskView, ToolSchema
from support.storefront import TOOLS, Storefront, play, view

SEARCHER = get_policy("searcher", {})

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=12,
)


def changes(instruction: str, seed: int = 0) -> list[tuple[str, dict[str, object]]]:
    session = Storefront()
    play(SEARCHER, view(instruction), session, seed)
    return [(call.name, call.arguments) for call in session.changes]


def test_it_changes_what_is_named_in_the_instruction():
    assert changes("Cancel order #W1 because it was ordered by mistake.") == [
        ("cancel_pending_order", {"order_id": "#W1", "reason": "ordered by mistake"})
    ]


@pytest.mark.parametrize(
    "told",
    [
        "I am Ada Low and my zip is 10117. Please cancel my order with the Desk Lamp.",
        "My email is ada.low@example.com. I want to cancel the order with the item “Desk Lamp”.",
        "Ada Low, zip code 10117, wants her order for a Desk Lamp cancelled.",
    ],
)
def test_it_discovers_the_id_of_what_is_only_described(told):
    done = changes(f"{told} The reason is: no longer needed.")
    assert done == [("cancel_pending_order", {"order_id": "#W1", "reason": "no longer needed"})]


def test_it_collects_the_items_that_are_told_one_by_one():
    done = changes(
        "My email is ada.low@example.com. Could you please return items of a delivered order? I "
        'mean the order whose status is "delivered". As the items, take the one whose name is '
        '"Door Bell" and the one whose name is "Wall Clock". As the payment method, take the one '
        'whose source is "paypal".'
    )
    expected = {"order_id": "#W2", "item_ids": ["203", "201"], "payment_method_id": "paypal_12"}
    assert done == [("return_delivered_items", expected)]


def test_it_makes_several_changes_in_the_order_of_the_text():
    done = changes(
        "Hi, my email is ada.low@example.com.\n\nI would like you to change the shipping address. "
        'I mean the order with the item "Desk Lamp". Please use street "9 Fir Way" and city '
        '"Turin".\n\nThen I need you to cancel the pending order. It is about the same order. The '
        'reason should be "no longer needed".'
    )
    address = {"order_id": "#W1", "street": "9 Fir Way", "city": "Turin"}
    assert done == [
        ("change_shipping_address", address),
        ("cancel_pending_order", {"order_id": "#W1", "reason": "no longer needed"}),
    ]


def test_a_series_is_one_change_each():
    done = changes("Cancel orders #W1 and #W3, ordered by mistake.")
    assert [arguments["order_id"] for _, arguments in done] == ["#W1", "#W3"]


def test_it_tries_another_binding_after_an_error():
    session = Storefront()
    session.orders["#W1"]["status"] = "delivered"
    told = 'I am Ada Low, zip 10117. Cancel my order from "Lyon". The reason is no longer needed.'
    play(SEARCHER, view(told), session)
    assert [call.arguments["order_id"] for call in session.changes] == ["#W3"]


class Stumbling(Storefront):
    """A storefront where the first call of a tool fails as if the service were down."""

    def __init__(self, tool: str, error: str, times: int = 1) -> None:
        super().__init__()
        self._tool, self._error, self._left = tool, error, times

    def call(self, name: str, arguments: dict[str, object]) -> Observation:
        if name == self._tool and self._left:
            self._left -= 1
            return Observation(ok=False, value=self._error)
        return super().call(name, arguments)


@pytest.mark.parametrize("tool", ["cancel_pending_order", "find_customer_id_by_email"])
def test_it_calls_again_what_failed_in_passing(tool):
    session = Stumbling(tool, "Error: 503 service temporarily unavailable, please try again")
    told = (
        "My email is ada.low@example.com. I want to cancel the order with the item “Desk Lamp”. "
        "The reason is: no longer needed."
    )
    play(SEARCHER, view(told), session)
    assert [(call.name, call.arguments["order_id"]) for call in session.changes] == [
        ("cancel_pending_order", "#W1")
    ]


def test_it_does_not_try_for_ever():
    session = Stumbling("cancel_pending_order", "Error: timed out", times=1000)
    actions = play(SEARCHER, view("Cancel order #W1 as it is no longer needed."), session)
    assert session.changes == [] and actions[-1].answer is not None


def test_it_reads_before_it_changes():
    session = Storefront()
    play(SEARCHER, view("Cancel order #W1, no longer needed."), session)
    names = [call.name for call in session.calls]
    assert "get_order_details" in names[: names.index("cancel_pending_order")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Could you please tell me the status of the order with the item “Tea Pot”?", "delivered"),
        ("What is the price of the Tea Pot?", "12.25"),
        ("I would like to know the city of my address.", "Lyon"),
    ],
)
def test_it_answers_a_question_with_the_value_alone(question, answer):
    session = Storefront()
    task = view(f"My email is ada.low@example.com. {question}")
    assert play(SEARCHER, task, session)[-1].answer == answer
    assert session.changes == []


def test_it_leaves_an_optional_argument_out_unless_it_is_asked_for():
    told = 'Change the shipping address of order #W1: street "9 Fir Way", city "Turin"'
    assert "note" not in changes(f"{told}.")[0][1]
    assert changes(f'{told}, note "ring twice".')[0][1]["note"] == "ring twice"


def test_a_task_that_asks_for_nothing_is_answered_without_a_change():
    session = Storefront()
    assert play(SEARCHER, view("Hello!"), session)[-1].answer is not None
    assert session.changes == []


def test_equal_seeds_give_equal_turns():
    told = "I am Ada Low, zip 10117. Cancel one of my pending orders."
    first, second = (play(SEARCHER, view(told), Storefront(), seed=3) for _ in range(2))
    assert first == second


def test_seeds_break_ties_differently():
    told = "I am Ada Low, zip 10117. Cancel a pending order of mine, no longer needed."
    chosen = {str(changes(told, seed)[0][1]["order_id"]) for seed in range(12)}
    assert chosen == {"#W1", "#W3"}


def test_its_turns_are_bounded_by_its_settings():
    few = get_policy("searcher", {"max_reading_turns": 1, "reads_per_turn": 1, "tries_per_goal": 1})
    actions = play(few, view("Cancel order #W2, no longer needed."), Storefront())
    assert [len(action.calls) for action in actions] == [1, 1, 0]


@settings(max_examples=40, deadline=None)
@given(instruction=st.text(max_size=80), results=st.lists(JSON, max_size=6), ok=st.booleans())
def test_no_text_and_no_result_breaks_it(instruction, results, ok):
    run = SEARCHER.start(view(f"Cancel the order. What is its status? {instruction}"), 1)
    observations: tuple[Observation, ...] = ()
    for _ in range(30):
        action = run.act(observations)
        if action.answer is not None:
            return
        values = (results * len(action.calls))[: len(action.calls)] or [None] * len(action.calls)
        observations = tuple(Observation(ok=ok, value=value) for value in values)
    raise AssertionError("the searcher did not come to an end")


@settings(max_examples=40, deadline=None)
@given(parameters=st.dictionaries(st.sampled_from(["type", "properties", "required"]), JSON))
def test_no_schema_breaks_it(parameters):
    odd = ToolSchema(name="get_odd_thing", parameters=parameters)
    actions = play(SEARCHER, TaskView(instruction="Get it.", tools=(*TOOLS, odd)), Storefront())
    assert actions[-1].answer is not None
