"""Tests of which reading tools are worth a call."""

import pytest

from envwright.agents.solver.policies.demand import Demand
from envwright.agents.solver.policies.goals import GoalFinder, verbs_of
from envwright.agents.solver.policies.guidance import Guidance, Mined
from envwright.agents.solver.policies.instruction import read
from envwright.agents.solver.policies.knowledge import Knowledge
from envwright.agents.solver.policies.parameters import understand
from envwright.events.values import Observation, ToolCall
from support.storefront import TOOLS
from support.storefront_graph import KNOWLEDGE

FINDERS = {"find_customer_id_by_email", "find_customer_id_by_name_zip"}
CUSTOMER, ORDER = "get_customer_details", "get_order_details"
FOUND = (("find_customer_id_by_email", "email", "ada_low_1"),)


def wanted(text: str, results: tuple[tuple[str, str, str], ...] = ()) -> frozenset[str]:
    guidance = Guidance(Mined.model_validate(KNOWLEDGE), [tool.name for tool in TOOLS])
    tools = understand(TOOLS, guidance.lore)
    instruction, knowledge = read(text, verbs_of(tools)), Knowledge()
    for name, argument, value in results:
        call = ToolCall(name=name, arguments={argument: "given"})
        knowledge.learn(call, Observation(ok=True, value=value))
    goals = GoalFinder(tools, instruction).find()
    return Demand(guidance, tools, instruction, knowledge).wanted(goals)


def test_a_change_wants_what_leads_to_its_arguments():
    assert wanted("Cancel my pending order.") == {*FINDERS, CUSTOMER, ORDER}


def test_a_finder_is_done_once_it_has_found():
    assert wanted("Cancel my pending order.", FOUND) == {CUSTOMER, ORDER}


@pytest.mark.parametrize(
    ("question", "readers"),
    [
        ("What is the city of my customer record?", {CUSTOMER}),
        ("What is the status of my order?", {CUSTOMER, ORDER}),
        ("What is the email?", {CUSTOMER}),
    ],
)
def test_a_question_wants_what_reads_the_thing_or_has_the_field(question, readers):
    assert wanted(question, FOUND) == readers


def test_what_asks_for_nothing_wants_nothing():
    assert wanted("Hello!") == frozenset()
