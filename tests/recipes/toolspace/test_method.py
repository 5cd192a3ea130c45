"""The recipe as agents use it: pure, seeded, and repairable."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from envwright.events import encode
from envwright.events.errors import BadInputError
from envwright.events.values import RunSettings
from envwright.recipes import Blame, SlotRequest, get_recipe
from envwright.recipes.toolspace.readers import read_source
from support.clinic import (
    clinic_brief,
    clinic_draft,
    clinic_profile,
    clinic_source,
    lines,
    records,
)

RECIPE = get_recipe("toolspace")
SLOT = SlotRequest(package="pkg-1", round=1, ordinal=1)

PROGRAM = """
from support.clinic import clinic_draft, clinic_profile
from envwright.events import digest
print(clinic_profile()["digest"], *(clinic_draft(n).bundle.revision for n in range(1, 7)))
"""


def revisions(seed, ordinals=range(1, 7)):
    return [clinic_draft(ordinal, seed).bundle.revision for ordinal in ordinals]


@pytest.mark.slow
def test_two_hash_seeds_give_one_profile_and_equal_revisions():
    tests = Path(__file__).parents[2]
    found = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(tests)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for seed in ("1", "4242")
    ]
    assert found[0] == found[1] == [clinic_profile()["digest"], *revisions(7)]


def test_a_build_gives_equal_bytes_again():
    brief = clinic_brief(2)
    again = RECIPE.build(json.loads(encode(clinic_profile(), nfc=True)), brief)
    assert again.bundle.files == clinic_draft(2).bundle.files


def test_no_id_of_package_or_run_reaches_the_content():
    other = clinic_brief(2).model_copy(update={"package": "pkg-other"})
    assert RECIPE.build(clinic_profile(), other).bundle == clinic_draft(2).bundle


def test_another_seed_gives_other_tasks():
    one, two = (
        {
            (b.instruction, str(b.solution.calls))
            for b in (clinic_draft(n, seed).bundle for n in range(1, 7))
        }
        for seed in (7, 8)
    )
    assert not one & two


def test_slots_give_different_tasks():
    assert len(set(revisions(7, range(1, 13)))) == 12


def test_a_brief_is_a_pure_function_of_its_slot():
    assert clinic_brief(3) == clinic_brief(3)
    assert clinic_brief(3).content_seed != clinic_brief(3, seed=8).content_seed
    assert clinic_brief(3).recipe_version == RECIPE.version


def test_the_size_of_the_environment_is_an_option():
    small = RunSettings(recipe="toolspace", count=1, options={"environment_bytes": 1000})
    brief = RECIPE.brief(clinic_profile(), small, SLOT, ())
    tables = "environment/tables.json"
    whole = clinic_draft(1).bundle
    assert len(RECIPE.build(clinic_profile(), brief).bundle.files[tables]) < len(
        whole.files[tables]
    )


@pytest.mark.parametrize("size", [-1, "big", True])
def test_a_size_that_is_none_is_refused(size):
    settings = RunSettings(recipe="toolspace", count=1, options={"environment_bytes": size})
    with pytest.raises(BadInputError, match="environment_bytes"):
        RECIPE.brief(clinic_profile(), settings, SLOT, ())


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"min_calls": 0}, "min_calls"),
        ({"max_calls": "many"}, "max_calls"),
        ({"min_calls": 9, "max_calls": 8}, "min_calls is 9"),
        ({"temperature": 0}, "temperature"),
    ],
)
def test_bounds_that_no_chain_can_keep_are_refused(options, named):
    settings = RunSettings(recipe="toolspace", count=1, options=options)
    with pytest.raises(BadInputError, match=named):
        RECIPE.brief(clinic_profile(), settings, SLOT, ())


@pytest.mark.parametrize("share", [-0.1, 1.1, "most", True])
@pytest.mark.parametrize("name", ["fidelity_threshold", "fault_rate"])
def test_a_share_that_is_none_is_refused(name, share):
    options = {name: share}
    with pytest.raises(BadInputError, match=f"option {name}"):
        RECIPE.profile([clinic_source()], options)
        settings = RunSettings(recipe="toolspace", count=1, options=options)
        RECIPE.brief(clinic_profile(), settings, SLOT, ())


def test_the_fidelity_threshold_is_an_option_that_the_profile_and_the_report_tell():
    lower = RECIPE.profile([clinic_source()], {"fidelity_threshold": 0.5})
    assert lower["digest"] != clinic_profile()["digest"]
    assert RECIPE.report(lower)["fidelity_threshold"] == 0.5
    assert RECIPE.profile([clinic_source()], {}) == clinic_profile()


def test_the_threshold_judges_writes_alone():
    logged = records()
    # One move in ten was answered as if it had been refused, and came about all the same.
    moves = [row for row in logged if row["tool"] == "move_visit" and row["status"] == "ok"]
    for row in moves[::10]:
        row |= {"status": "error", "result": "Error: only a booked visit can be changed"}
    source = read_source("noisy.jsonl", lines(logged))
    found = [
        RECIPE.report(RECIPE.profile([source], {"fidelity_threshold": share}))["fidelity"]
        for share in (0.99, 0.5)
    ]
    assert 0.5 < found[0]["clinic.move_visit"]["exact"] < 0.99
    assert [one["clinic.move_visit"]["grounded"] for one in found] == [False, True]
    assert found[0]["clinic.get_visit"] == found[1]["clinic.get_visit"]


def test_the_graph_is_exported_sorted_and_readable():
    found = json.loads(RECIPE.exports(clinic_profile())["graph.json"])
    edges = [(edge["kind"], edge["source"], edge["target"]) for edge in found["edges"]]
    assert edges == sorted(edges)
    assert ("data", "clinic.get_visit", "clinic.get_doctor") in edges


def test_the_length_of_chains_is_an_option():
    settings = RunSettings(recipe="toolspace", count=1, options={"min_calls": 2, "max_calls": 3})
    brief = RECIPE.brief(clinic_profile(), settings, SLOT, ())
    assert 2 <= len(RECIPE.build(clinic_profile(), brief).bundle.solution.calls) <= 3


def test_a_repaired_instruction_tells_the_same_task_in_other_words():
    draft = clinic_draft(1).bundle
    texts = set()
    for number in (1, 2, 3):
        blame = Blame(artifact="instruction", reason="BOUNDARY_LEAK", repair_round=number)
        repaired = RECIPE.repair(clinic_profile(), clinic_brief(1), draft, blame).bundle
        assert repaired.solution.calls == draft.solution.calls
        assert repaired.environment() == draft.environment()
        texts.add(repaired.instruction)
    assert texts != {draft.instruction}


@pytest.mark.parametrize("artifact", ["environment", "solution", "verifier"])
def test_another_fault_is_repaired_by_another_walk(artifact):
    draft = clinic_draft(1).bundle
    blame = Blame(artifact=artifact, reason="SURVIVING_MUTANT", repair_round=1)
    repaired = RECIPE.repair(clinic_profile(), clinic_brief(1), draft, blame)
    assert repaired.bundle.solution.calls != draft.solution.calls
    assert repaired == RECIPE.repair(clinic_profile(), clinic_brief(1), draft, blame)


def test_a_package_is_described_by_services_and_calls():
    bundle = clinic_draft(1).bundle
    described = RECIPE.describe(bundle)
    assert described["services"] == ["clinic"]
    assert described["calls"] == len(bundle.solution.calls)


def test_ingest_summary_and_report_speak_of_the_log():
    assert (
        RECIPE.ingest("a.jsonl", b'{"trace_id": 1, "tool": "t", "args": {}, "result": 1}').calls
        == 1
    )
    assert RECIPE.profile([clinic_source()]) == clinic_profile()
    assert RECIPE.summary(clinic_profile())["grounded"] == 10
    assert RECIPE.report(clinic_profile())["services"] == ["clinic"]
    assert RECIPE.review(clinic_draft(1).bundle) == ()
    assert len(RECIPE.fingerprint(clinic_draft(1).bundle)) == 2
