"""Tests of ReAct, over a scripted model and behind a journal."""

from collections.abc import Callable, Sequence

import pytest

from envwright.agents.models import JournaledModel, ModelAnswer, ModelToolCall, ScriptedModel
from envwright.agents.solver.policies import get_policy
from envwright.events import Json
from envwright.events.ports.effects import EffectCall
from envwright.events.values import Observation
from support.storefront import TOOLS, Storefront, play, view

TASK = view("Cancel order #W1, it is no longer needed.")
CANCEL = '{"order_id": "#W1", "reason": "no longer needed"}'


def asks(*calls: tuple[str, str], text: str = "") -> ModelAnswer:
    """An answer that calls tools, each with the text of its arguments."""
    written = tuple(
        ModelToolCall(id=f"call-{number}", name=name, arguments=arguments)
        for number, (name, arguments) in enumerate(calls)
    )
    return ModelAnswer(text=text, tool_calls=written, finish_reason="tool_calls")


def scripted(*answers: ModelAnswer) -> ScriptedModel:
    return ScriptedModel(answers)


def react(model: ScriptedModel | JournaledModel, **settings: int):
    return get_policy("react", {"model": "tiny", **settings}, lambda _name: model)


def test_the_model_calls_tools_reads_results_and_answers():
    model = scripted(
        asks(("get_order_details", '{"order_id": "#W1"}'), text="I look at it first."),
        asks(("cancel_pending_order", CANCEL)),
        ModelAnswer(text="Order #W1 is cancelled."),
    )
    session = Storefront()
    actions = play(react(model), TASK, session)
    assert actions[0].thought == "I look at it first."
    assert actions[-1].answer == "Order #W1 is cancelled."
    assert [call.name for call in session.changes] == ["cancel_pending_order"]


def test_the_model_sees_the_task_the_tools_and_every_result_under_its_call():
    model = scripted(asks(("get_order_details", '{"order_id": "#W1"}')), ModelAnswer(text="Done."))
    play(react(model), TASK, Storefront())
    last = model.requests[-1]
    assert last.tools == TOOLS
    assert [message.role for message in last.messages] == ["system", "user", "assistant", "tool"]
    assert last.messages[1].content == TASK.instruction
    assert last.messages[3].tool_call_id == "call-0"
    assert '"status": "pending"' in last.messages[3].content


@pytest.mark.parametrize("arguments", ["", "{", "[1]", '"x"', '{"order_id": NaN}', "[" * 9999])
def test_malformed_arguments_are_told_to_the_model_in_the_same_turn(arguments):
    model = scripted(
        asks(("get_order_details", arguments or "null")), ModelAnswer(text="I give up.")
    )
    actions = play(react(model), TASK, Storefront())
    assert [action.answer for action in actions] == ["I give up."]
    assert (
        model.requests[1].messages[-1].content.startswith("Error: arguments are not a JSON object")
    )


def test_readable_calls_are_made_although_others_beside_them_are_not():
    model = scripted(
        asks(("get_order_details", "{"), ("get_order_details", '{"order_id": "#W2"}')),
        ModelAnswer(text="Done."),
    )
    session = Storefront()
    play(react(model), TASK, session)
    assert [call.arguments for call in session.calls] == [{"order_id": "#W2"}]
    told = {m.tool_call_id: m.content for m in model.requests[1].messages if m.role == "tool"}
    assert told["call-0"].startswith("Error") and "delivered" in told["call-1"]


def test_a_model_that_never_writes_a_readable_call_costs_a_bounded_number_of_requests():
    model = scripted(*[asks(("get_order_details", "{")) for _ in range(9)])
    action = react(model, max_corrections=2).start(TASK, 0).act(())
    assert (action.calls, action.answer) == ((), None)
    assert len(model.requests) == 3


def test_a_refused_call_is_an_error_to_the_model_and_a_missing_result_too():
    model = scripted(
        asks(
            ("get_order_details", '{"order_id": "#W9"}'),
            ("get_order_details", '{"order_id": "#W1"}'),
        ),
        ModelAnswer(text="Done."),
    )
    run = react(model).start(TASK, 0)
    run.act(())
    run.act((Observation(ok=False, value="not found"),))
    told = [m.content for m in model.requests[1].messages if m.role == "tool"]
    assert told == ["Error: not found", "Error: the call was not made"]


def test_boundary_files_are_part_of_the_task():
    task = TASK.model_copy(update={"files": {"files/rules.md": "Be kind."}})
    model = scripted(ModelAnswer(text="Done."))
    play(react(model), task, Storefront())
    assert "files/rules.md:\nBe kind." in model.requests[0].messages[1].content


def test_seeds_reach_the_model_and_equal_seeds_are_equal():
    def seed_for(seed: int) -> int | None:
        model = scripted(ModelAnswer(text="Done."))
        react(model).start(TASK, seed).act(())
        return model.requests[0].seed

    assert seed_for(1) == seed_for(1) != seed_for(2)


def test_a_replay_from_the_journal_repeats_the_attempt_and_asks_no_model():
    recorded: list[Json] = []

    def record(_call: EffectCall, action: Callable[[str], Json]) -> Json:
        recorded.append(action("key"))
        return recorded[-1]

    def replay(_call: EffectCall, _action: Callable[[str], Json]) -> Json:
        return recorded.pop(0)

    answers: Sequence[ModelAnswer] = (
        asks(("cancel_pending_order", CANCEL)),
        ModelAnswer(text="Done."),
    )
    first = play(react(JournaledModel(scripted(*answers), record, node="act")), TASK, Storefront())
    silent = scripted()
    again = play(react(JournaledModel(silent, replay, node="act")), TASK, Storefront())
    assert again == first and silent.requests == ()
