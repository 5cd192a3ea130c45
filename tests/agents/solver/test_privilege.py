"""Tests of what a privileged policy is given of a run's profile."""

import json

import pytest

from envwright.agents.solver.policies import get_policy
from envwright.agents.solver.privilege import knowledge_in
from support.clinic import clinic_profile


def test_the_graph_is_given_with_effects_domains_tables_and_links():
    knowledge = knowledge_in(clinic_profile())
    assert knowledge["graph"] == clinic_profile()["graph"]
    assert sorted(knowledge) == ["graph", "links", "tables", "tools"]
    for name, tool in clinic_profile()["tools"].items():
        assert knowledge["tools"][name] == {key: tool[key] for key in ("effect", "domains")}
    assert get_policy("searcher+graph", {}, knowledge=knowledge).privileged


def test_no_row_is_given():
    profile, told = clinic_profile(), json.dumps(knowledge_in(clinic_profile()))
    keys = [key for table in profile["tables"].values() for key in table["rows"] if len(key) > 4]
    assert keys and not [key for key in keys if key in told]
    assert '"rows"' not in told and '"pool"' not in told


def test_fields_are_named_at_any_depth_and_ids_are_no_fields():
    row = {"name": "x", "parts": [{"size": 1}], "cards": {"c1": {"owner": "y"}}}
    table = {"key": "id", "reader": "a.get", "rows": {"1": row}, "maps": [["cards"]]}
    knowledge = knowledge_in({"graph": {"edges": []}, "tables": {"things": table}})
    assert knowledge["tables"]["things"] == {
        "key": "id",
        "reader": "a.get",
        "fields": ["cards", "name", "owner", "parts", "size"],
    }


@pytest.mark.parametrize("profile", [{}, {"tools": {}}, [], None, "text"])
def test_a_profile_without_a_graph_gives_nothing(profile):
    assert knowledge_in(profile) is None
