"""Tests of contracts: what does not fit is refused when a part is made, before any call."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from envwright.sandbox.worlds import PRIMITIVES, Effect, ProcedureStep
from envwright.sandbox.worlds.programs.contracts import fits, kind_of
from support.program_parts import arg, compare, const, element, items, loop, obj, over, text, var
from support.situations import EXPR

READERS: dict[str, TypeAdapter[Any]] = {
    "expression": EXPR,
    "effect": TypeAdapter(Effect),
    "step": TypeAdapter(ProcedureStep),
}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "number"),
        (1.5, "number"),
        ("a", "text"),
        ([], "list"),
        ({}, "object"),
        (object(), "any"),
    ],
)
def test_every_value_has_a_kind(value, kind):
    assert kind_of(value) == kind


def test_what_may_be_anything_fits_anywhere():
    assert fits("any", ("list",))
    assert fits("text", ("any",))
    assert fits("text", ("number", "text"))
    assert not fits("text", ("list",))


@pytest.mark.parametrize(
    ("reader", "part", "message"),
    [
        ("expression", over("sum", const("12")), "of takes a list, and `const` gives a text"),
        ("expression", over("abs", text("a")), "of takes a number, and `text` gives a text"),
        (
            "expression",
            {"op": "plus", "terms": [arg("x"), items()]},
            "terms.1 takes a number, and `list` gives a list",
        ),
        (
            "expression",
            loop("filter", arg("x"), holds=over("length", arg("x"))),
            "holds takes a boolean, and `length` gives a number",
        ),
        (
            "expression",
            {"op": "zip", "lists": {"a": obj()}},
            "lists.a takes a list, and `object` gives a object",
        ),
        (
            "expression",
            {"op": "entry", "of": text("a"), "key": const(0)},
            "of takes a object or list, and `text` gives a text",
        ),
        (
            "effect",
            {"op": "insert", "table": "t", "key": const("a"), "row": const([])},
            "row takes a object, and `const` gives a list",
        ),
        (
            "step",
            {"op": "require", "holds": const(1), "error": "Error: wrong"},
            "holds takes a boolean, and `const` gives a number",
        ),
        (
            "step",
            {"op": "require", "holds": const(True), "error": const(5)},
            "error takes a text, and `const` gives a number",
        ),
    ],
)
def test_a_composition_that_does_not_fit_is_refused(reader, part, message):
    with pytest.raises(ValidationError) as caught:
        READERS[reader].validate_python(part)
    assert message in str(caught.value)


def test_sorted_takes_anything_as_in_the_first_format():
    assert EXPR.validate_python(over("sorted", const("text")))


def test_parts_are_the_expressions_directly_inside():
    where = [{"path": ["a"], "equals": arg("x")}, {"path": ["b"], "equals": items(arg("y"))}]
    rows = EXPR.validate_python({"op": "rows", "table": "t", "where": where})
    assert [part.op for part in rows.parts()] == ["arg", "list"]
    assert EXPR.validate_python(const({"op": "arg"})).parts() == ()


def test_the_size_counts_all_parts():
    assert EXPR.validate_python(arg("x")).size == 1
    assert EXPR.validate_python(loop("map", arg("x"), body=items(element(), const(1)))).size == 5


def test_the_names_of_a_loop_exist_in_its_body_only():
    named = EXPR.validate_python(loop("map", arg("x"), "item", body=var("item")))
    assert named.bound("body") == {"element", "item"}
    assert named.bound("of") == frozenset()
    plain = EXPR.validate_python(loop("every", arg("x"), holds=const(True)))
    assert plain.bound("holds") == {"element"}


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda primitive: primitive.__name__)
def test_every_declaration_names_fields_of_its_class(primitive):
    fields = primitive.model_fields.keys()
    assert primitive.takes.keys() <= fields
    assert primitive.binds.keys() <= primitive.takes.keys()
    assert {name for names in primitive.binds.values() for name in names} <= fields | {"element"}
    assert primitive.__doc__


@pytest.mark.parametrize("name", ["", "A", "1a", "a b", "x" * 65])
def test_names_are_short_and_plain(name):
    with pytest.raises(ValidationError):
        EXPR.validate_python(var(name))


def test_an_unknown_sign_is_refused():
    with pytest.raises(ValidationError):
        EXPR.validate_python(compare(arg("x"), "=", arg("y")))
