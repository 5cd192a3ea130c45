"""Tests of expressions that read, as data."""

import pytest
from pydantic import ValidationError

from support.program_parts import arg, const
from support.situations import EXPR


@pytest.mark.parametrize(
    ("value", "kind"), [(None, "null"), (True, "boolean"), (5, "number"), ([], "list")]
)
def test_the_kind_of_a_constant_is_known(value, kind):
    assert EXPR.validate_python(const(value)).kind() == kind
    assert EXPR.validate_python(arg("x")).kind() == "any"


def test_a_path_into_the_arguments_starts_with_a_name():
    with pytest.raises(ValidationError, match="path starts with 0"):
        EXPR.validate_python(arg(0))
    assert EXPR.validate_python(arg("x", 0))


@pytest.mark.parametrize("path", [[True], [1.5], [-1], [None], "n"])
@pytest.mark.parametrize("op", ["var", "element", "field"])
def test_a_path_is_names_and_indexes(op, path):
    with pytest.raises(ValidationError):
        EXPR.validate_python({"op": op, "name": "v", "path": path})
