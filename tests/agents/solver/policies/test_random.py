"""Tests of the random policy."""

import pytest
from jsonschema import Draft202012Validator

from envwright.agents.solver.policies import get_policy
from envwright.events.values import Observation, TaskView
from support.storefront import TOOLS, Storefront, play, tool, view

TOLD = 'I am Ada Low, my email is ada.low@example.com. Cancel order #W1 or item 201 for "$12.50".'


@pytest.mark.parametrize("seed", range(20))
def test_every_call_fits_the_schema(seed):
    schemas = {each.name: each.parameters for each in TOOLS}
    for action in play(get_policy("random", {}), view(TOLD), Storefront(), seed):
        for call in action.calls:
            Draft202012Validator(schemas[call.name]).validate(call.arguments)


def test_it_answers_at_a_turn_that_the_seed_decides():
    lengths = {
        len(play(get_policy("random", {}), view(TOLD), Storefront(), seed)) for seed in range(40)
    }
    assert lengths == set(range(1, 9))


def test_it_draws_from_the_instruction_and_from_what_it_saw():
    used = set()
    for seed in range(60):
        session = Storefront()
        play(get_policy("random", {}), view(TOLD), session, seed)
        used |= {value for call in session.calls for value in map(str, call.arguments.values())}
    assert {"ada.low@example.com", "#W1"} <= used
    assert "1 Elm Street" in used or "Lyon" in used


def test_nested_arguments_are_made_up_where_nothing_fits():
    row = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    tools = (tool("set_rows", "", rows={"type": "array", "items": row}, on={"type": "boolean"}),)
    task = TaskView(instruction="Do it.", tools=tools)
    run = next(
        run
        for seed in range(20)
        if (run := get_policy("random", {}).start(task, seed)).act(()).answer is None
    )
    calls = run.act((Observation(ok=True, value=None),)).calls
    assert all(isinstance(call.arguments["on"], bool) for call in calls)


def test_a_task_without_tools_is_answered_at_once():
    task = TaskView(instruction="Do it.", tools=())
    assert get_policy("random", {}).start(task, 3).act(()).answer is not None
