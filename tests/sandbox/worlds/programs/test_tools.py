"""Tests of whole programs, as data: what is one, and what is refused before any call."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from envwright.sandbox.worlds import Program
from envwright.sandbox.worlds.programs import MAX_NESTING
from support.retail_programs import RETAIL_PROGRAMS
from support.shop import PROGRAMS

READER: TypeAdapter[Any] = TypeAdapter(Program)

ARG: dict[str, Any] = {"op": "arg", "path": ["x"]}
FIELD: dict[str, Any] = {"op": "field", "path": ["n"]}
ROW, KEY = {"op": "row"}, {"op": "key"}

LOOKUP: dict[str, Any] = {
    "op": "lookup",
    "table": "t",
    "key": ARG,
    "missing": "Error: missing",
    "returns": ROW,
}
FIND: dict[str, Any] = {
    "op": "find",
    "table": "t",
    "where": [{"path": ["n"], "equals": ARG}],
    "missing": "Error: missing",
    "returns": KEY,
}
UPDATE: dict[str, Any] = LOOKUP | {"op": "update", "set": [{"path": ["n"], "value": ARG}]}
CREATE: dict[str, Any] = {
    "op": "create",
    "table": "t",
    "key": ARG,
    "exists": "Error: exists",
    "row": {"op": "object", "fields": {"n": ARG}},
    "returns": ROW,
}


def complaint(program: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        READER.validate_python(program)
    return str(caught.value)


ALL = {**PROGRAMS, **RETAIL_PROGRAMS}


@pytest.mark.parametrize("name", ALL)
def test_a_program_is_the_same_after_a_round_trip_through_json(name):
    program = READER.validate_python(ALL[name])
    assert READER.validate_json(READER.dump_json(program)) == program
    assert READER.validate_python(program.model_dump(mode="json")) == program


@pytest.mark.parametrize("program", [LOOKUP, FIND, UPDATE, CREATE])
def test_a_program_is_frozen_and_closed(program):
    read = READER.validate_python(program)
    with pytest.raises(ValidationError):
        read.table = "other"
    assert "Extra inputs" in complaint({**program, "more": 1})


@pytest.mark.parametrize(
    ("program", "slot"),
    [
        ({**LOOKUP, "key": expr}, "key") for expr in (ROW, KEY, FIELD)
    ]
    + [({**FIND, "where": [{"path": ["n"], "equals": e}]}, "where.0") for e in (ROW, KEY, FIELD)]
    + [
        ({**UPDATE, "set": [{"path": ["n"], "value": ROW}]}, "set.0"),
        ({**UPDATE, "append": [{"path": ["n"], "value": ROW}]}, "append.0"),
        ({**CREATE, "row": ROW}, "row"),
        ({**CREATE, "row": FIELD}, "row"),
        ({**CREATE, "returns": FIELD}, "returns"),
    ],
)  # fmt: skip
def test_an_expression_where_what_it_needs_does_not_exist_is_refused(program, slot):
    text = complaint(program)
    assert f"in `{slot}` needs the" in text


def test_an_expression_inside_others_is_checked_too():
    inside = {
        "op": "list",
        "items": [{"op": "object", "fields": {"a": {"op": "sorted", "of": ROW}}}],
    }
    assert "`row` in `key`" in complaint({**LOOKUP, "key": inside})


@pytest.mark.parametrize("expr", [KEY, FIELD, ROW, ARG])
@pytest.mark.parametrize("program", [LOOKUP, FIND, UPDATE])
def test_what_a_program_returns_may_use_everything(program, expr):
    assert READER.validate_python({**program, "returns": expr})


@pytest.mark.parametrize("path", [[], [True], [1.5], [-1], [None], "n"])
def test_a_path_is_names_and_indexes(path):
    complaint({**LOOKUP, "returns": {"op": "field", "path": path}})


@pytest.mark.parametrize(
    "program",
    [
        {**LOOKUP, "key": {"op": "arg", "path": [0]}},
        {**UPDATE, "set": [{"path": [0], "value": ARG}]},
        {**UPDATE, "append": [{"path": [0], "value": ARG}]},
    ],
)
def test_paths_into_arguments_and_rows_start_with_a_name(program):
    assert "path starts with 0" in complaint(program)


def test_an_update_writes_something():
    assert "use `lookup`" in complaint({**UPDATE, "set": []})


def test_a_find_asks_for_something():
    assert "at least 1 item" in complaint({**FIND, "where": []})


def test_expressions_nest_only_so_deep():
    def nested(levels: int) -> dict[str, Any]:
        expr = ARG
        for _ in range(levels - 1):
            expr = {"op": "sorted", "of": expr}
        return expr

    assert READER.validate_python({**LOOKUP, "returns": nested(MAX_NESTING)})
    assert "nests deeper" in complaint({**LOOKUP, "returns": nested(MAX_NESTING + 1)})
