"""What `--set` of a fork may say."""

import pytest

from envwright.agents.fork_settings import SETTABLE, changed
from envwright.events.errors import BadInputError
from envwright.events.values import PolicySpec, RunSettings

SETTINGS = RunSettings(recipe="desk", count=3, options={"min_calls": 6, "pseudonymise": ["email"]})


@pytest.mark.parametrize(
    ("pair", "name", "value"),
    [
        ("count=5", "count", 5),
        ("seed=-1", "seed", -1),
        ("slots=null", "slots", None),
        ("k=8", "attempts", 8),
        ("attempts=8", "attempts", 8),
        ("max_repairs=0", "max_repairs", 0),
        ("max_turns=9", "max_turns", 9),
        ("max_rounds=2", "max_rounds", 2),
        ("max_retries=0", "max_retries", 0),
        ("allow_short=true", "allow_short", True),
        ("recipe=mending", "recipe", "mending"),
    ],
)
def test_every_field_of_the_settings_can_be_set(pair: str, name: str, value: object) -> None:
    settings, said = changed(SETTINGS, [pair])
    assert said == {name: value}
    assert settings == SETTINGS.model_copy(update=said)


def test_no_field_is_left_out() -> None:
    assert set(SETTABLE) | {"gates", "options"} == set(RunSettings.model_fields)


def test_a_panel_is_named_by_commas_or_as_json() -> None:
    named, said = changed(SETTINGS, ["panel=random, searcher"])
    assert [policy.name for policy in named.panel] == ["random", "searcher"]
    assert said == {"panel": [{"name": "random"}, {"name": "searcher"}]}
    given, _ = changed(SETTINGS, ['panel=[{"name":"react","settings":{"model":"m"}}]'])
    assert given.panel == (PolicySpec(name="react", settings={"model": "m"}),)
    assert changed(SETTINGS, ["panel="])[0].panel == ()


def test_gates_and_options_are_set_by_their_full_names() -> None:
    pairs = ["gates.no_leak.seeds=[3]", "options.size=big", "options.depth=2"]
    settings, said = changed(SETTINGS, pairs)
    assert settings.gates == {"no_leak": {"seeds": [3]}}
    assert settings.options == {**SETTINGS.options, "size": "big", "depth": 2}
    assert sorted(said) == ["gates.no_leak.seeds", "options.depth", "options.size"]


def test_an_option_that_the_origin_has_is_known_by_its_own_name() -> None:
    settings, said = changed(SETTINGS, ["min_calls=7"])
    assert settings.options["min_calls"] == 7 and said == {"options.min_calls": 7}


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("count", "is no setting; expected NAME=VALUE"),
        ("=5", "is no setting; expected NAME=VALUE"),
        ("size=9", "--set size: there is no such setting. What may be set: recipe, count, seed"),
        ("options=9", "there is no such setting"),
        ("gates.no_leak=9", "expected gates.GATE.SETTING"),
        ("gates.none.seeds=[1]", "no gate 'none'; there are executable"),
        ("gates.no_leak.size=1", "has no setting 'size'"),
        ("gates.no_leak.seeds=[]", "expected a list of whole numbers"),
        ("gates.no_leak.seeds=[true]", "expected a list of whole numbers"),
        ("count=0", "--set count: .* got 0. What may be set"),
        ("count=many", "--set count: .* got 'many'"),
        ("count=true", "--set count: .* got True"),
        ("slots=0", "--set slots: .* got 0"),
        ("allow_short=1", "--set allow_short"),
        ("panel=random,random", "names a policy twice"),
        ("panel=7", "--set panel"),
        ("pseudonymise=name", "a fork cannot disguise them"),
        ("options.pseudonymise=name", "a fork cannot disguise them"),
    ],
)
def test_what_cannot_be_set_is_refused_with_what_can(pair: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        changed(SETTINGS, [pair])


def test_a_name_is_said_once() -> None:
    with pytest.raises(BadInputError, match="names attempts twice"):
        changed(SETTINGS, ["k=1", "attempts=2"])


def test_the_options_of_the_origin_are_listed_without_those_that_act_on_sources() -> None:
    with pytest.raises(BadInputError, match=r"the origin has min_calls\)"):
        changed(SETTINGS, ["size=1"])
