"""The held-out set: its tasks are never made again, and without one the report says so."""

import json

import pytest

from envwright.events.errors import BadInputError
from envwright.recipes import get_recipe
from envwright.recipes.toolspace.holdout import holdout_marks, read_holdout
from envwright.sandbox.gates import run_gate
from support.clinic import clinic_brief, clinic_draft, clinic_profile, clinic_source, lines, records

RECIPE = get_recipe("toolspace")


def solution(ordinal):
    return clinic_draft(ordinal).bundle.files["solution/calls.json"]


def test_a_solution_is_one_task_and_a_log_one_for_each_trace():
    assert len(holdout_marks([read_holdout("holdout/calls.json", solution(1))]).sequences) == 1
    log = RECIPE.ingest("holdout/log.jsonl", lines(records(5)))
    assert len(holdout_marks([log]).sequences) == 5


def test_a_source_without_calls_is_refused():
    manifest = json.dumps([{"type": "function", "function": {"name": "f", "parameters": {}}}])
    with pytest.raises(BadInputError):
        read_holdout("holdout/tools.json", manifest.encode())


def test_a_held_out_task_is_rejected_when_it_is_made_again():
    held_out = RECIPE.ingest("holdout/calls.json", solution(1))
    profile = RECIPE.profile([clinic_source(), held_out])
    draft = RECIPE.build(profile, clinic_brief(1))
    (spec,) = [spec for spec in draft.gate_set if spec.gate == "not_held_out"]
    assert draft.bundle.solution.calls == clinic_draft(1).bundle.solution.calls
    assert run_gate(spec, draft.bundle).result.reason == "HELD_OUT"
    other = RECIPE.build(profile, clinic_brief(2))
    assert run_gate(spec, other.bundle).result.verdict == "pass"
    assert RECIPE.report(profile)["decontamination"] == {"sources": 1, "tasks": 1}


def test_without_a_held_out_set_there_is_no_gate_and_the_report_says_so():
    assert "not_held_out" not in {spec.gate for spec in clinic_draft(1).gate_set}
    assert RECIPE.report(clinic_profile())["decontamination"] == "not checked"
