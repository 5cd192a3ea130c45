"""Building: packages hold under every gate; what cannot hold is not built."""

import pytest

from envwright.recipes import NoTaskError
from envwright.recipes.toolspace.tasks.building import Maker
from envwright.recipes.toolspace.walks.drawing import Plan
from envwright.recipes.toolspace.walks.knowledge import knowledge_of
from envwright.sandbox.attempts import replay_calls
from envwright.sandbox.gates import run_gate
from envwright.sandbox.verifiers import verify
from support.clinic import clinic, clinic_draft, clinic_profile

ORDINALS = range(1, 13)
IN_PROCESS = [
    "executable",
    "reference_passes",
    "noop_fails",
    "no_leak",
    "prefixes_fail",
    "calls_necessary",
    "mutants_fail",
]


@pytest.mark.parametrize("ordinal", ORDINALS)
def test_a_package_passes_its_gates(ordinal):
    draft = clinic_draft(ordinal)
    assert {spec.gate for spec in draft.gate_set} == {*IN_PROCESS, "deterministic"}
    for spec in draft.gate_set:
        if spec.gate in IN_PROCESS:
            result = run_gate(spec, draft.bundle).result
            assert (result.verdict, result.reason, result.detail) == ("pass", "", "")


def test_a_package_passes_the_gate_that_runs_in_other_processes():
    draft = clinic_draft(1)
    (spec,) = [spec for spec in draft.gate_set if spec.gate == "deterministic"]
    assert run_gate(spec, draft.bundle).result.verdict == "pass"


@pytest.mark.parametrize("ordinal", ORDINALS)
def test_leaving_out_any_write_fails(ordinal):
    bundle = clinic_draft(ordinal).bundle
    calls = bundle.solution.calls
    whole = replay_calls(bundle, 0, calls)
    for index in whole.writes:
        rerun = replay_calls(bundle, 0, [*calls[:index], *calls[index + 1 :]])
        found = verify(bundle.assertions, whole.initial, rerun.final, bundle.solution.answer)
        assert not found.passed


def test_a_reference_has_six_to_twenty_calls():
    lengths = [len(clinic_draft(ordinal).bundle.solution.calls) for ordinal in ORDINALS]
    assert min(lengths) >= 6
    assert max(lengths) <= 20
    assert len(set(lengths)) > 2


def test_a_plan_that_nothing_fulfils_has_no_task():
    bare = {**clinic_profile(), "entries": [], "digest": "without entries"}
    maker = Maker(knowledge_of(bare), "toolspace", "1")
    with pytest.raises(NoTaskError, match="lower min_calls") as error:
        maker.make(Plan(tool="clinic.move_visit"), "seed", "words")
    assert error.value.reason == "NO_WALK"


def test_other_words_change_the_instruction_and_nothing_that_is_tested():
    maker = Maker(clinic(), "toolspace", "1")
    plan = Plan(tool="clinic.move_visit")
    one, two = (maker.make(plan, "seed", f"words-{n}") for n in (1, 2))
    assert one.instruction != two.instruction
    assert one.solution.calls == two.solution.calls
    assert one.environment() == two.environment()
    assert one.assertions.state == two.assertions.state
