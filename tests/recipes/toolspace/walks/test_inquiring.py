"""Inquiring: only what was recorded is asked for, in words that a user has."""

from random import Random

import pytest

from envwright.recipes.toolspace.mining.entries import Entry
from envwright.recipes.toolspace.values import at
from envwright.recipes.toolspace.walks.chain import Bounds, Chain
from envwright.recipes.toolspace.walks.inquiring import _Inquirer, inquiry
from envwright.recipes.toolspace.walks.walk import DeadEndError, Walk
from support.searching_clinic import SEARCH, free_hours, searching_clinic, searching_draft

FIND = Entry(tool="clinic.find_patient", table="patients", kind="find")


def walk(seed=3, most=20):
    world = searching_clinic().open()
    world.reset(0)
    return Walk(searching_clinic(), world, Random(seed), most)


def entered(seed=3):
    one = walk(seed)
    one.enter(FIND)
    one.read(0)
    return one


@pytest.mark.parametrize("seed", range(8))
def test_the_call_is_one_that_was_recorded_and_the_answer_is_what_it_gave(seed):
    asked = inquiry(entered(seed), SEARCH)
    recorded = free_hours(**asked.call.arguments)
    assert at(recorded, asked.path) == asked.value
    entry = at(recorded, asked.path[:1])
    assert [e for e in recorded if all(at(e, t.path[1:]) == t.value for t in asked.traits)] == [
        entry
    ]


def test_an_argument_that_a_row_holds_is_taken_from_the_row():
    kinds = set()
    for seed in range(20):
        one = entered(seed)
        for bound in inquiry(one, SEARCH).bound:
            kinds.add((bound.argument, bound.kind))
            if bound.kind == "member":
                assert at(one.row(bound.place), bound.members[0].path) == bound.value
    assert {("city", "member"), ("city", "free"), ("day", "free")} <= kinds


def test_an_id_that_no_row_has_shown_is_said_by_nobody():
    recording = searching_clinic().tool(SEARCH).recordings[0]
    asker = _Inquirer(entered(), SEARCH, recording)
    with pytest.raises(DeadEndError, match="nobody says room_id"):
        asker._bind("room_id", "r-17")
    assert asker._bind("room", "r-17").kind == "free"


def test_nothing_is_asked_twice():
    one = entered()
    first, second = inquiry(one, SEARCH), inquiry(one, SEARCH)
    assert first.call != second.call


def test_where_no_recording_is_left_it_is_a_dead_end_without_a_trace():
    one = walk(most=2)
    one.enter(FIND)
    one.read(0)
    before = one.mark()
    with pytest.raises(DeadEndError):
        inquiry(one, SEARCH)
    assert one.mark() == before


def test_a_chain_goes_through_recorded_answers():
    for attempt in range(20):
        world = searching_clinic().open()
        world.reset(0)
        try:
            chain = Chain(searching_clinic(), world, Random(attempt), Bounds())
            story = chain.draw(FIND, SEARCH)
            break
        except DeadEndError:
            continue
    assert "search_hours" in [call.name for call in story.calls]
    assert story.inquiries


def test_a_recorded_tool_whose_answers_could_be_guessed_is_no_goal():
    knowledge = searching_clinic()
    assert knowledge.recorded == [SEARCH]
    assert knowledge.variety.answers(SEARCH) >= {("*", "room"), ("*", "nurse")}
    assert not any("*" in p[:-2] for p in knowledge.variety.answers(SEARCH))


def test_the_letter_says_the_arguments_and_the_package_has_the_answer_hidden():
    found = 0
    for ordinal in range(1, 16):
        bundle = searching_draft(ordinal).bundle
        if "search_hours" not in {call.name for call in bundle.solution.calls}:
            continue
        found += 1
        facts = [f for f in bundle.blueprint.facts if f.location.startswith("environment/cass")]
        assert any(fact.visibility == "hidden" for fact in facts)
        assert "search the hours" in bundle.instruction
    assert found
