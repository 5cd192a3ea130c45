"""Tests of what can be asked about a program: its expressions and its tables."""

from typing import Any

from pydantic import TypeAdapter

from envwright.sandbox.worlds import (
    PRIMITIVES,
    Argument,
    Program,
    expressions,
    tables_read,
    tables_written,
)
from support.program_parts import after, arg, const, effect, loop, of_row, procedure
from support.retail_programs import RETAIL_PROGRAMS
from support.shop import PROGRAMS

READER: TypeAdapter[Any] = TypeAdapter(Program)


def test_all_expressions_are_listed_with_their_slots():
    program = READER.validate_python(PROGRAMS["cancel_order"])
    assert [(slot, expr.op) for slot, expr in expressions(program)] == [
        ("key", "arg"),
        ("set.0", "const"),
        ("set.1", "arg"),
        ("append.0", "object"),
        ("append.0", "field"),
        ("append.0", "field"),
        ("returns", "row"),
    ]
    assert list(expressions(READER.validate_python(PROGRAMS["list_policies"]))) == []


def test_the_tables_of_a_program_of_one_table():
    lookup, update, create, constant = (
        READER.validate_python(PROGRAMS[name])
        for name in ("get_order", "cancel_order", "add_user", "list_policies")
    )
    assert (tables_read(lookup), tables_written(lookup)) == ({"orders"}, set())
    assert (tables_read(update), tables_written(update)) == ({"orders"}, {"orders"})
    assert tables_written(create) == {"users"}
    assert tables_read(constant) == tables_written(constant) == set()


def test_the_tables_of_a_procedure():
    program = procedure(
        [],
        [
            effect("set", "a", of_row("b", arg("x"), "key"), "n", value=const(1)),
            loop("each", {"op": "keys", "table": "c"}, effects=[
                {"op": "insert", "table": "d", "key": arg("x"), "row": const({})},
                {"op": "delete", "table": "e", "key": arg("x")}]),
        ],
        {"op": "list", "items": [after("a", arg("x")), {"op": "rows", "table": "f"}]},
    )  # fmt: skip
    read = READER.validate_python(program)
    assert tables_read(read) == set("abcf")
    assert tables_written(read) == set("ade")


def test_a_law_of_gift_cards_writes_users_beside_orders():
    program = READER.validate_python(RETAIL_PROGRAMS["cancel_pending_order"])
    assert tables_written(program) == {"orders", "users"}


def test_the_json_schema_describes_every_field():
    schema = READER.json_schema()
    assert set(schema["discriminator"]["mapping"]) == {
        "lookup", "find", "search", "update", "create", "procedure", "constant", "recorded",
    }  # fmt: skip
    assert schema["$defs"]["Argument"]["description"] == Argument.__doc__
    assert all(primitive.__name__ in schema["$defs"] for primitive in PRIMITIVES)
