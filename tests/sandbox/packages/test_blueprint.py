"""The blueprint `blueprint.json`."""

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.packages import Blueprint

FACT = {"id": "city", "value": "Graz", "visibility": "hidden", "location": "environment/"}


def test_a_rule_about_an_undeclared_fact_is_refused():
    with pytest.raises(BadInputError, match="not declared: town"):
        Blueprint.parse({"schema_version": 1, "facts": [FACT], "boundary": [{"fact_id": "town"}]})


def test_a_criterion_about_an_undeclared_fact_is_refused():
    criteria = [{"id": "a", "fact_ids": ["town"]}]
    with pytest.raises(BadInputError, match="not declared: town"):
        Blueprint.parse({"schema_version": 1, "facts": [FACT], "criteria": criteria})


def test_a_fact_that_stands_twice_is_refused():
    with pytest.raises(BadInputError, match="stands twice in city, city"):
        Blueprint.parse({"schema_version": 1, "facts": [FACT, FACT]})
