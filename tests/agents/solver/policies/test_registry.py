"""Tests of the list of policies."""

import pytest

from envwright.agents.models import ModelAnswer, ScriptedModel
from envwright.agents.solver.policies import (
    get_policy,
    is_privileged,
    policy_label,
    policy_names,
)
from envwright.events.errors import BadInputError


def test_policies_have_an_id_with_a_version_and_say_if_they_are_privileged():
    for name in ("random", "searcher"):
        policy = get_policy(name, {})
        assert policy.id == f"{name}/1" and policy.privileged is False


def test_an_unknown_name_says_what_there_is():
    assert policy_names() == ("random", "react", "searcher", "searcher+graph")
    with pytest.raises(BadInputError, match=r"'oracle'; there are random, .*, searcher\+graph"):
        get_policy("oracle", {})


@pytest.mark.parametrize(
    ("settings", "problem"),
    [({"speed": 3}, "speed: Extra inputs"), ({"reads_per_turn": "many"}, "reads_per_turn: Input")],
)
def test_wrong_settings_are_named(settings, problem):
    with pytest.raises(BadInputError, match=f"'searcher' are wrong: {problem}"):
        get_policy("searcher", settings)


def test_a_policy_that_needs_a_model_is_given_it_by_name():
    asked = []

    def models(name):
        asked.append(name)
        return ScriptedModel([ModelAnswer(text="Done.")])

    assert get_policy("react", {"model": "tiny"}, models).id == "react/1:tiny"
    assert asked == ["tiny"]


@pytest.mark.parametrize(
    ("settings", "models", "remedy"),
    [
        ({"model": "tiny"}, None, "no model is configured in this version"),
        ({}, ScriptedModel, "model: Field required"),
    ],
)
def test_a_missing_model_is_told_with_its_remedy(settings, models, remedy):
    with pytest.raises(BadInputError, match=remedy):
        get_policy("react", settings, models)


def test_a_privileged_policy_says_so_wherever_it_is_named():
    policy = get_policy("searcher+graph", {}, knowledge={"graph": {"edges": []}})
    assert policy.id == "searcher+graph/1 (privileged)" and policy.privileged
    assert policy_label("searcher+graph") == "searcher+graph (privileged)"
    assert policy_label("searcher") == "searcher"
    for name in ("random", "searcher", "searcher+graph"):
        assert is_privileged(name) == get_policy(name, {}).privileged
    assert not is_privileged("a policy of another version")


def test_malformed_knowledge_is_named_and_other_policies_never_look_at_it():
    with pytest.raises(BadInputError, match="knowledge for policy 'searcher.graph' is malformed"):
        get_policy("searcher+graph", {}, knowledge={"graph": 3})
    assert get_policy("searcher", {}, knowledge={"graph": 3}).id == "searcher/1"
