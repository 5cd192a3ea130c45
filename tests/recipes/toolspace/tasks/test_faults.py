"""Faults: seeded, at tools that the log shows are retried, met by the reference and passed."""

import json
from functools import lru_cache

import pytest

from envwright.recipes import get_recipe
from envwright.recipes.toolspace.tasks.faults import with_fault
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from envwright.sandbox.gates import run_gate
from support.clinic import clinic, clinic_profile
from support.searching_clinic import searching_draft


@lru_cache(maxsize=1)
def calls():
    return next(stories(clinic(), Plan(tool="clinic.move_visit"), "s")).calls


def test_the_log_says_which_tools_fail_in_passing():
    assert list(clinic().retried) == ["clinic.find_patient"]
    edges = [edge for edge in clinic().profile.graph.edges if edge.kind == "retry"]
    assert {edge.source for edge in edges} == {"clinic.find_patient"}
    assert "retried" in clinic_profile()


def test_the_reference_makes_the_call_again_that_meets_the_fault():
    found = with_fault(clinic(), calls(), 1.0, "s")
    assert list(found.faults) == ["find_patient"]
    assert len(found.calls) == len(calls()) + 1
    place = [call.name for call in found.calls].index("find_patient")
    assert found.calls[place] == found.calls[place + 1]


def test_nothing_fails_at_a_rate_of_zero_or_where_no_tool_is_retried():
    assert with_fault(clinic(), calls(), 0.0, "s") == (calls(), {})
    rest = tuple(call for call in calls() if call.name != "find_patient")
    assert with_fault(clinic(), rest, 1.0, "s") == (rest, {})


def test_the_rate_is_the_share_of_seeds_and_each_gives_the_same_again():
    once, again = (
        [bool(with_fault(clinic(), calls(), 0.3, f"s{n}").faults) for n in range(200)]
        for _ in range(2)
    )
    assert 40 < sum(once) < 80
    assert once == again


@pytest.mark.parametrize("ordinal", range(1, 5))
def test_a_package_with_a_fault_passes_every_gate(ordinal):
    draft = searching_draft(ordinal, fault_rate=1)
    world = json.loads(draft.bundle.files["environment/world.json"])
    assert list(world["faults"]) == ["find_patient"]
    for spec in draft.gate_set:
        if spec.gate != "deterministic":
            result = run_gate(spec, draft.bundle).result
            assert (result.verdict, result.detail) == ("pass", "")


def test_a_fault_is_no_step_of_the_task():
    with_one, without = (searching_draft(1, fault_rate=rate).bundle for rate in (1, 0))
    described = [get_recipe("toolspace").describe(bundle) for bundle in (with_one, without)]
    assert described[0]["calls"] == described[1]["calls"] == len(without.solution.calls)
    assert [one["faults"] for one in described] == [["find_patient"], []]
    assert with_one.instruction == without.instruction
