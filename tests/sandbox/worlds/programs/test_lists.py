"""Tests of expressions over lists, as data."""

from typing import Any

import pytest
from pydantic import ValidationError

from support.program_parts import arg, const, var
from support.situations import EXPR

UPDATED: dict[str, Any] = {
    "op": "updated",
    "of": arg("x"),
    "by": arg("y"),
    "key": ["id"],
    "equals": var("order"),
    "set": [{"path": ["n"], "value": const(1)}],
}


def test_an_assignment_starts_with_a_field():
    assert EXPR.validate_python(UPDATED).named == "order"
    with pytest.raises(ValidationError, match="path starts with 0"):
        EXPR.validate_python({**UPDATED, "set": [{"path": [0], "value": const(1)}]})


@pytest.mark.parametrize(
    "part",
    [{**UPDATED, "set": []}, {"op": "zip", "lists": {}}, {"op": "plus", "terms": [const(1)]}],
)
def test_what_would_do_nothing_is_refused(part):
    with pytest.raises(ValidationError, match="at least"):
        EXPR.validate_python(part)
