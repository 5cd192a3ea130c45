"""Tests of the privileged searcher against the plain one, at the storefront."""

import pytest

from envwright.agents.solver.policies import get_policy
from envwright.events.values import TaskView, ToolSchema
from support.storefront import TOOLS, Storefront, play, view
from support.storefront_graph import KNOWLEDGE

SEARCHER = get_policy("searcher", {})
PRIVILEGED = get_policy("searcher+graph", {}, knowledge=KNOWLEDGE)
TOLD = (
    "My email is ada.low@example.com. Could you please return items of a delivered order? I mean "
    'the order whose status is "delivered". As the items, take the one whose name is "Door Bell" '
    'and the one whose name is "Wall Clock". As the payment method, take the one whose source is '
    '"paypal".'
)


@pytest.mark.parametrize(
    "told",
    [
        TOLD,
        "I am Ada Low, zip 10117. Cancel the order with the item “Desk Lamp”, no longer needed.",
        'I am Ada Low, zip 10117. Change the shipping address of my order with the item "Desk Lamp"'
        ': street "9 Fir Way", city "Turin".',
    ],
)
def test_it_makes_the_same_changes_with_no_more_calls(told):
    plain, privileged = Storefront(), Storefront()
    play(SEARCHER, view(told), plain)
    play(PRIVILEGED, view(told), privileged)
    assert privileged.changes == plain.changes != []
    assert len(privileged.calls) <= len(plain.calls)


def test_it_calls_nothing_in_vain():
    session = Storefront()
    play(PRIVILEGED, view(TOLD), session)
    *reads, change = session.calls
    assert change.name == "return_delivered_items"
    assert [call.arguments for call in reads[:2]] == [
        {"email": "ada.low@example.com"},
        {"customer_id": "ada_low_1"},
    ]
    orders = ("#W1", "#W2", "#W3")
    assert sorted(call.arguments["order_id"] for call in reads[2:]) == list(orders)


def test_of_the_things_that_a_row_leads_to_it_reads_those_that_are_told():
    edge = {
        "kind": "data",
        "source": "shop.get_box",
        "target": "shop.get_toy",
        "transfers": [{"output": ["toys", "*", "toy_id"], "input": ["toy_id"], "support": 5}],
    }
    tables = {
        f"{name}s": {"key": f"{name}_id", "reader": f"shop.get_{name}", "fields": ["size"]}
        for name in ("box", "toy")
    }
    knowledge = {
        "graph": {"edges": [edge]},
        "tools": {f"shop.get_{name}": {"effect": "read"} for name in ("box", "toy")},
        "tables": tables,
    }
    tools = tuple(
        ToolSchema(
            name=f"get_{name}",
            description=f"Get a {name}.",
            parameters={
                "type": "object",
                "properties": {f"{name}_id": {"type": "string"}},
                "required": [f"{name}_id"],
            },
        )
        for name in ("box", "toy")
    )

    class Attic(Storefront):
        def _get_box(self, box_id):
            names = {"T-1": "ball", "T-2": "train", "T-3": "doll"}
            return {"toys": [{"toy_id": key, "name": name} for key, name in names.items()]}

        def _get_toy(self, toy_id):
            return {"toy_id": toy_id, "size": f"{toy_id} inches"}

    session = Attic()
    task = TaskView(
        instruction='My box id is B-9. What is the size of the toy whose name is "train"?',
        tools=tools,
    )
    policy = get_policy("searcher+graph", {}, knowledge=knowledge)
    assert play(policy, task, session)[-1].answer == "T-2 inches"
    assert [call.arguments for call in session.calls] == [{"box_id": "B-9"}, {"toy_id": "T-2"}]


def test_a_value_from_nowhere_fills_no_argument_unless_it_is_so_named():
    session = Storefront()
    told = 'Cancel the order with the item "LAMP-7", no longer needed.'
    play(PRIVILEGED, view(told), session)
    assert not any("LAMP-7" in call.arguments.values() for call in session.calls)
    play(PRIVILEGED, view("Cancel order #W1, no longer needed."), session)
    assert [call.arguments["order_id"] for call in session.changes] == ["#W1"]


def test_an_inert_tool_is_left_alone_though_the_words_fit():
    ponder = ToolSchema(
        name="ponder",
        description="Ponder a thought.",
        parameters={
            "type": "object",
            "properties": {"thought": {"type": "string"}},
            "required": ["thought"],
        },
    )
    task = view('Ponder the thought "order".', (*TOOLS, ponder))
    calls = {}
    for policy in (SEARCHER, PRIVILEGED):
        session = Storefront()
        play(policy, task, session)
        calls[policy.id] = [call.name for call in session.calls]
    assert "ponder" in calls["searcher/1"]
    assert "ponder" not in calls[PRIVILEGED.id]


def test_without_a_graph_it_does_as_the_searcher_does():
    bare = get_policy("searcher+graph", {})
    assert bare.privileged
    assert play(bare, view(TOLD), Storefront(), 5) == play(SEARCHER, view(TOLD), Storefront(), 5)


def test_equal_seeds_give_equal_turns():
    first, second = (play(PRIVILEGED, view(TOLD), Storefront(), seed=3) for _ in range(2))
    assert first == second
