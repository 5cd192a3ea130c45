"""Tests of the check of arguments against a tool's schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from envwright.events.errors import BadInputError
from envwright.events.values import ToolSchema
from envwright.sandbox.worlds.arguments import ArgumentContract
from envwright.sandbox.worlds.refusal import Refusal

TEXT = {"type": "string"}


def contract(parameters: dict[str, Any]) -> ArgumentContract:
    return ArgumentContract(ToolSchema(name="tool", parameters=parameters))


def takes(required: tuple[str, ...] = (), **properties: Any) -> ArgumentContract:
    return contract({"type": "object", "properties": properties, "required": list(required)})


def refusal(asked: ArgumentContract, arguments: Any) -> str:
    with pytest.raises(Refusal) as caught:
        asked.admit(arguments)
    return str(caught.value)


def test_good_arguments_come_back_as_a_canonical_copy():
    given_arguments = {"n": 2.0, "b": "Zoe\u0308", "a": [{"y": 1, "x": 2}]}
    admitted = takes(n={"type": "integer"}, b=TEXT, a={"type": "array"}).admit(given_arguments)
    assert list(admitted) == ["a", "b", "n"]
    assert list(admitted["a"][0]) == ["x", "y"]
    assert admitted["b"] == "Zo\u00eb"
    assert isinstance(admitted["n"], int)
    assert admitted["a"] is not given_arguments["a"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "Error: tool: missing argument a, b"),
        ({"a": "x"}, "Error: tool: missing argument b"),
        ({"a": "x", "b": 1, "z": 1}, "Error: tool: unknown argument z; it takes a, b, c"),
        ({"a": "x", "b": "1"}, "Error: tool: argument b: '1' is not of type 'integer'"),
        ({"a": None, "b": True}, "Error: tool: argument a: None is not of type 'string'"),
        (
            {"a": "x", "b": 1, "c": [{"d": 5}]},
            "Error: tool: argument c[0].d: 5 is not one of [1, 2]",
        ),
        ([], "Error: tool: arguments are an object, not list"),
        ({"a": float("nan")}, "Error: tool: arguments are no JSON: nan is not a JSON number"),
    ],
)
def test_the_error_names_the_argument_and_what_was_expected(arguments, text):
    nested = {"type": "array", "items": {"properties": {"d": {"enum": [1, 2]}}}}
    asked = takes(("a", "b"), a=TEXT, b={"type": "integer"}, c=nested)
    assert refusal(asked, arguments).startswith(text)


def test_the_error_is_the_same_in_whatever_order_arguments_and_properties_come():
    one, other = takes(a=TEXT, b=TEXT), takes(b=TEXT, a=TEXT)
    assert refusal(one, {"a": 1, "b": 2}) == refusal(other, {"b": 2, "a": 1})


def test_the_error_text_stays_short():
    asked = takes(a={"enum": ["x" * 10_000]})
    assert len(refusal(asked, {"a": "y" * 10**6})) < 400
    assert len(refusal(asked, {"z" * 10**6: 1})) < 400


def test_unknown_arguments_pass_where_the_schema_says_so():
    open_schema = {"type": "object", "additionalProperties": True}
    assert contract(open_schema).admit({"z": 1}) == {"z": 1}
    patterns = {"type": "object", "patternProperties": {"^x_": TEXT}}
    assert contract(patterns).admit({"x_a": "1"}) == {"x_a": "1"}
    assert "'z'" in refusal(contract(patterns), {"z": "1"})


def test_arguments_that_a_composed_schema_declares_are_known():
    composed = {"type": "object", "anyOf": [{"properties": {"a": TEXT}, "required": ["a"]}]}
    assert contract(composed).admit({"a": "1"}) == {"a": "1"}
    assert "('z' was unexpected)" in refusal(contract(composed), {"a": "1", "z": 1})
    assert contract(composed).may_take("a")


def test_definitions_inside_the_schema_are_followed():
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/code"}},
        "$defs": {"code": {"type": "string", "pattern": "^[A-Z]+$"}},
    }
    assert contract(schema).admit({"a": "AB"}) == {"a": "AB"}
    assert "argument a" in refusal(contract(schema), {"a": "ab"})


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"type": "strnig"}, "strnig"),
        ({"type": "array"}, "'object'"),
        ({"properties": []}, "object"),
        ({"properties": {"a": {"pattern": "["}}}, "regex"),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "leads nowhere"),
        ({"properties": {"a": {"$ref": "https://example.org/code.json"}}}, "leads nowhere"),
    ],
)
def test_what_is_no_usable_schema_is_bad_input_that_names_the_tool(parameters, text):
    with pytest.raises(BadInputError, match="tool tool: .*" + text):
        contract(parameters)


@pytest.mark.parametrize(
    "parameters",
    [
        {"properties": {"a": {"multipleOf": 0.1}}},
        {"properties": {"a": {"$ref": "#/properties/a"}}},
    ],
)
def test_a_check_that_cannot_be_made_is_a_refusal(parameters):
    assert "cannot be checked" in refusal(contract(parameters), {"a": 10**400})


TYPES = ["string", "integer", "number", "boolean", "null", "object", "array"]
PLAIN = st.sampled_from(TYPES).map(lambda kind: {"type": kind, "description": "plain"})
ARRAYS = st.sampled_from(TYPES).map(lambda kind: {"type": "array", "items": {"type": kind}})
OTHER = st.sampled_from(
    [{}, True, {"enum": ["a", 1]}, {"type": ["string", "null"]}, {"type": "integer", "minimum": 1}]
)
VALUES = st.sampled_from(["a", 1, 2.5, 2.0, 1e300, True, None, {}, {"a": 1}, [], ["a"], [1, "a"]])


@given(
    st.dictionaries(st.sampled_from("abc"), PLAIN | ARRAYS | OTHER, max_size=3),
    st.sets(st.sampled_from("abc"), max_size=2),
    st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=3),
)
def test_arguments_are_admitted_exactly_if_jsonschema_admits_them(properties, required, arguments):
    schema: dict[str, Any] = {
        "type": "object",
        "properties": properties,
        "required": sorted(required),
        "additionalProperties": False,
    }
    try:
        admitted = bool(contract(schema).admit(arguments)) or True
    except Refusal:
        admitted = False
    assert admitted == Draft202012Validator(schema).is_valid(arguments)


def test_a_text_has_a_limit():
    asked = ArgumentContract(ToolSchema(name="tool", parameters={"properties": {"a": {}}}), 10)
    assert asked.admit({"a": ["x" * 10] * 5})
    assert asked.admit({"a": {"y" * 10: "\u00e9" * 10}})
    for value in ("x" * 11, ["x" * 11], {"y" * 11: 1}):
        assert "a text of more than 10 characters" in refusal(asked, {"a": value})


@pytest.mark.parametrize(("text", "admitted"), [("#W1234567", True), ("W1234567", False)])
def test_a_pattern_that_is_understood_is_checked(text, admitted):
    asked = takes(a={"type": "string", "pattern": r"^#W\d{7}$"})
    assert asked.unchecked == ()
    if admitted:
        assert asked.admit({"a": text}) == {"a": text}
    else:
        assert "argument a: 'W1234567' does not match" in refusal(asked, {"a": text})


def test_a_pattern_that_may_be_slow_is_not_checked_and_named():
    asked = takes(a={"type": "string", "pattern": "^(a+)+$"}, b={"items": {"pattern": "x|y"}})
    assert asked.admit({"a": "a" * 50 + "b", "b": ["z"]})
    assert asked.unchecked == ("^(a+)+$", "x|y")


def test_an_argument_may_have_the_name_of_a_keyword():
    asked = takes(pattern=TEXT, properties=TEXT, enum={"enum": [{"pattern": "(a)"}]})
    assert asked.unchecked == ()
    assert asked.admit({"pattern": "(a+)+", "properties": "x", "enum": {"pattern": "(a)"}})


@pytest.mark.parametrize("name", ["^(x|y)_", "[a-z]+_id$", "a+b+"])
def test_a_slow_pattern_as_a_name_makes_the_schema_unusable(name):
    with pytest.raises(BadInputError, match="in `patternProperties` may be slow"):
        contract({"type": "object", "properties": {"a": {"patternProperties": {name: TEXT}}}})


def test_a_pattern_is_for_texts():
    assert takes(a={"pattern": "^a$"}).admit({"a": 5}) == {"a": 5}


@pytest.mark.parametrize(
    ("items", "unique"),
    [([1, True, "1", None, [1], {"a": 1}], True), ([{"a": 1}, {"a": 1.0}], False), ("aa", True)],
)
def test_items_are_unique_by_value(items, unique):
    asked = takes(a={"uniqueItems": True})
    if unique:
        assert asked.admit({"a": items})
    else:
        assert "non-unique" in refusal(asked, {"a": items})
    assert takes(a={"uniqueItems": False}).admit({"a": [1, 1]})


def test_many_items_are_compared_in_time_by_their_number():
    items = [{"n": number} for number in range(30_000)]
    assert takes(a={"uniqueItems": True}).admit({"a": items})
