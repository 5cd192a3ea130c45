"""The generated JSON Schemas are valid, documented, and true of what is recorded."""

import ast
import inspect
import json
from types import ModuleType

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from envwright.events import FACTS, encode, envelope, fact_data, values
from envwright.events.catalog import attempt, package, run, source, work
from envwright.events.schemas import all_schemas, event_schema, schema_fingerprint
from support.any_fact import facts

SCHEMAS = all_schemas()
MODULES = [attempt, package, run, source, work, values, envelope]


def documented_fields(module: ModuleType) -> dict[str, dict[str, str]]:
    """Return, by class, the docstring that stands under each field in a module's source."""
    documented: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        for field, text in zip(node.body, node.body[1:], strict=False):
            match field, text:
                case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                    documented.setdefault(node.name, {})[name] = inspect.cleandoc(words)
    return documented


def test_there_is_a_schema_for_each_type_the_envelope_and_the_union():
    assert set(SCHEMAS) == {f"{name}.v1" for name in FACTS} | {"envelope", "fact"}


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_every_schema_is_valid(name):
    Draft202012Validator.check_schema(SCHEMAS[name])
    json.dumps(SCHEMAS[name], allow_nan=False)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_attribute_docstrings_reach_the_schema(module):
    for owner, fields in documented_fields(module).items():
        described = getattr(module, owner).model_json_schema(mode="serialization")["properties"]
        for field, text in fields.items():
            if field in described:
                assert described[field]["description"] == text, f"{owner}.{field}"


def test_an_event_schema_says_which_event_and_version_it_is():
    schema = event_schema("round.opened")
    assert schema["$id"] == "urn:envwright:event:round.opened:v1"
    assert schema["properties"]["type"]["const"] == "round.opened"
    assert schema["properties"]["schema_version"]["const"] == 1
    assert schema["additionalProperties"] is False


@given(facts())
def test_a_recorded_fact_validates_against_its_schema(fact):
    data = json.loads(encode(fact_data(fact)))
    whole = {**data, "type": fact.type, "schema_version": fact.schema_version}
    Draft202012Validator(SCHEMAS[f"{fact.type}.v{fact.schema_version}"]).validate(whole)
    Draft202012Validator(SCHEMAS["fact"]).validate(whole)


@given(facts())
def test_a_schema_refuses_a_field_it_does_not_know(fact):
    whole = {**fact.model_dump(mode="json"), "surprise": 1}
    assert not Draft202012Validator(event_schema(fact.type)).is_valid(whole)


def variant(fact, **namespace):
    """Return a class like a fact's, with something else in it."""
    annotations = {name: value[0] for name, value in namespace.items()}
    values = {name: value[1] for name, value in namespace.items()}
    return type(fact.__name__, (fact,), {"__annotations__": annotations, **values})


def test_a_fingerprint_changes_with_what_is_demanded_and_not_with_the_words():
    fact = FACTS["round.opened"]
    same = schema_fingerprint(fact)
    spoken = variant(fact)
    spoken.__doc__ = "Other words."
    assert schema_fingerprint(spoken) == same
    for changes in (
        {"slots": (str, ...)},
        {"more": (int, 0)},
        {"more": (int, 1)},
        {"title": (str, "")},
    ):
        assert schema_fingerprint(variant(fact, **changes)) != same


def test_a_change_of_a_value_inside_a_fact_changes_its_fingerprint():
    def holding(inner):
        return variant(FACTS["round.opened"], inner=(inner, ...))

    one = type("Inner", (values.Value,), {"__annotations__": {"a": int}})
    other = type("Inner", (values.Value,), {"__annotations__": {"a": str}})
    again = type("Inner", (values.Value,), {"__annotations__": {"a": int}})
    assert schema_fingerprint(holding(one)) == schema_fingerprint(holding(again))
    assert schema_fingerprint(holding(one)) != schema_fingerprint(holding(other))
