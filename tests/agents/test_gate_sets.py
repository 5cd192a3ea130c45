"""Gate sets under the settings of a run."""

import pytest

from envwright.agents.gate_sets import GATE_SETTINGS, check_gate_setting, gates_under
from envwright.events.catalog import PackageDrafted
from envwright.events.errors import BadInputError
from envwright.events.values import RunSettings
from envwright.sandbox.gates import gate_set_digest, gate_spec
from support.office import Office

SPECS = (gate_spec("no_leak"), gate_spec("noop_fails", seeds=[1], other=2))


def test_a_setting_of_the_run_wins_over_that_of_the_recipe_and_leaves_the_rest() -> None:
    settings = RunSettings(recipe="desk", count=1, gates={"noop_fails": {"seeds": [5]}})
    leak, noop = gates_under(SPECS, settings)
    assert leak == SPECS[0]
    assert noop.settings == {"seeds": [5], "other": 2}


def test_without_settings_the_digest_is_that_of_the_recipe() -> None:
    settings = RunSettings(recipe="desk", count=1, gates={"executable": {"seeds": [5]}})
    assert gate_set_digest(gates_under(SPECS, settings)) == gate_set_digest(SPECS)


def test_a_package_is_tested_with_the_settings_of_its_run(office: Office) -> None:
    office.finish(office.request(gates={"noop_fails": {"seeds": [4, 5]}}))
    [made] = office.facts(PackageDrafted)
    assert {g.gate: g.settings for g in made.gate_set}["noop_fails"] == {"seeds": [4, 5]}
    assert made.gate_set_digest == gate_set_digest(made.gate_set)
    evidence = next(e.data["result"]["evidence"] for e in office.events("gate.evaluated")
                    if e.data["result"]["gate"] == "noop_fails")  # fmt: skip
    assert b'"seed":4' in office.runtime.artifacts.get(evidence["digest"]).replace(b" ", b"")


def test_what_no_gate_understands_is_refused() -> None:
    check_gate_setting("no_leak", "seeds", [0])
    assert GATE_SETTINGS == ("seeds",)
    for gate, name, value in (
        ("none", "seeds", [0]),
        ("not_held_out", "grams", []),
        ("no_leak", "seeds", "0"),
        ("no_leak", "seeds", [0.5]),
    ):
        with pytest.raises(BadInputError):
            check_gate_setting(gate, name, value)
