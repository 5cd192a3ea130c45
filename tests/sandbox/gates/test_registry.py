"""The registry of gates."""

import pytest

from envwright.events.errors import BadInputError
from envwright.events.values import GateSpec
from envwright.sandbox.gates import (
    cheapest_first,
    default_gate_set,
    gate_registry,
    gate_set_digest,
    gate_spec,
    run_gate,
)
from support.packages import desk_bundle

MINIMUM = {
    "executable",
    "deterministic",
    "reference_passes",
    "noop_fails",
    "prefixes_fail",
    "mutants_fail",
    "no_leak",
}


def test_the_minimum_gate_set_is_there_and_a_recipe_gets_it_by_default():
    assert set(gate_registry()) - MINIMUM == {"calls_necessary", "not_held_out"}
    assert {spec.gate for spec in default_gate_set()} == MINIMUM


@pytest.mark.parametrize("gate", gate_registry().values(), ids=lambda gate: gate.id)
def test_every_gate_says_what_it_proves_and_explains_its_reasons(gate):
    assert gate.proves
    assert gate.blames in {"environment", "instruction", "solution", "verifier"}
    assert all(code == code.upper() and text for code, text in gate.reasons.items())


def test_gates_run_cheapest_first():
    order = [spec.gate for spec in cheapest_first(reversed(default_gate_set()))]
    assert order[0] == "executable"
    assert order[-1] == "deterministic"
    costs = [gate_registry()[name].cost for name in order]
    assert costs == sorted(costs)


def test_the_digest_of_a_gate_set_does_not_depend_on_its_order():
    assert gate_set_digest(default_gate_set()) == gate_set_digest(reversed(default_gate_set()))


def test_the_digest_of_a_gate_set_depends_on_settings_and_members():
    digests = {
        gate_set_digest(specs)
        for specs in (
            default_gate_set(),
            default_gate_set()[1:],
            (gate_spec("executable", seeds=[5]), *default_gate_set()[1:]),
        )
    }
    assert len(digests) == 3


def test_an_unknown_gate_is_refused_with_what_is_known():
    with pytest.raises(BadInputError, match="unknown gate 'vibes'; known are executable"):
        gate_spec("vibes")
    with pytest.raises(BadInputError, match="unknown gate 'vibes'"):
        run_gate(GateSpec(gate="vibes"), desk_bundle())


def test_a_gate_in_another_version_is_refused_and_not_guessed():
    with pytest.raises(BadInputError, match="has version '1', the spec asks for '0'"):
        run_gate(GateSpec(gate="executable", version="0"), desk_bundle())
