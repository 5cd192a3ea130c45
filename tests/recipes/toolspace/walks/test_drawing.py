"""Drawing: slots cover the tools, and a seed gives its own stories."""

from itertools import islice

import pytest

from envwright.recipes import SlotOutcome, SlotRequest
from envwright.recipes.toolspace.walks.drawing import Plan, plan_slot, stories
from support.clinic import clinic


def plan(ordinal, history=(), seed="s"):
    slot = SlotRequest(package="p", round=1, ordinal=ordinal)
    return plan_slot(clinic(), slot, f"{seed}{ordinal}", history)


def test_a_round_covers_every_write_and_asks_questions_too():
    plans = [plan(ordinal) for ordinal in range(1, 21)]
    assert {one.tool for one in plans} == set(clinic().goals)
    assert set(clinic().writes) < set(clinic().goals)


def test_a_plan_depends_on_its_slot_alone():
    assert [plan(n) for n in range(1, 9)] == [plan(n) for n in range(1, 9)]


def test_a_tool_that_bore_no_fruit_in_earlier_rounds_is_left_out():
    tool = clinic().writes[0]
    history = [
        SlotOutcome(round=1, ordinal=n, admitted=False, plan={"tool": tool}) for n in range(4)
    ]
    assert all(plan(n, history).tool != tool for n in range(1, 40))
    once = [*history, SlotOutcome(round=1, ordinal=9, admitted=True, plan={"tool": tool})]
    assert any(plan(n, once).tool == tool for n in range(1, 40))


@pytest.mark.parametrize("tool", ["clinic.move_visit", "clinic.get_doctor"])
def test_the_first_ask_is_what_was_planned(tool):
    story = next(stories(clinic(), Plan(tool=tool), "seed"))
    if tool in clinic().questions:
        assert story.places[story.asks[0].place].table == "doctors"
    else:
        assert story.asks[0].tool == tool


def test_another_seed_tells_another_story():
    plan = Plan(tool="clinic.move_visit")
    assert len({str(next(stories(clinic(), plan, f"seed-{n}"))) for n in range(8)}) == 8


def test_a_seed_tells_its_stories_again():
    plan = Plan(tool="clinic.get_visit")
    first = list(islice(stories(clinic(), plan, "x"), 5))
    assert first == list(islice(stories(clinic(), plan, "x"), 5))


def test_every_argument_was_given_or_found_in_a_result_before():
    known_to_all = {"author", "text", "city", "day", "reason"}
    for n in range(12):
        story = next(stories(clinic(), Plan(tool="clinic.add_note"), f"s{n}"))
        world = clinic().open()
        seen = {str(value) for value in story.given.values()}
        for call in story.calls:
            fresh = {b.argument for r in story.requests for b in r.bound if b.kind == "fresh"}
            for name, value in call.arguments.items():
                assert name in known_to_all | fresh or any(str(value) in text for text in seen)
            result = world.call(call.name, call.arguments)
            assert result.ok
            seen.add(str(result.value))


def test_a_question_asks_for_what_nothing_has_told():
    for n in range(8):
        story = next(stories(clinic(), Plan(tool="clinic.get_doctor"), f"q{n}"))
        told = [trait.value for place in story.places for trait in place.traits]
        for question in story.questions:
            assert question.value not in [*told, *story.given.values()]
