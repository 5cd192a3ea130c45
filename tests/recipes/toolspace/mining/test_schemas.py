"""Schemas: declared ones are kept, others are inferred from calls."""

from envwright.recipes.toolspace.calls import Declaration
from envwright.recipes.toolspace.mining.schemas import schema_of
from support.tool_logs import failed, ok


def inferred(*calls):
    return schema_of("ns.do_it", calls, None).parameters


def test_a_manifest_gives_description_and_schema_under_the_bare_name():
    declared = Declaration("do_it", "Do it well.", {"type": "object", "properties": {}})
    tool = schema_of("ns.do_it", [], declared)
    assert (tool.name, tool.description) == ("do_it", "Do it well.")
    assert tool.parameters == declared.parameters


def test_what_calls_gave_beyond_a_declared_schema_is_added():
    declared = Declaration("do_it", "", {"type": "object", "properties": {"a": {"type": "string"}}})
    tool = schema_of("ns.do_it", [ok("do_it", 1, a="x", b=2)], declared)
    assert tool.parameters["properties"] == {"a": {"type": "string"}, "b": {"type": "integer"}}


def test_a_declared_schema_that_checks_nothing_gives_way_to_the_calls():
    broken = Declaration("do_it", "", {"type": "object", "properties": {"a": {"type": "strange"}}})
    tool = schema_of("ns.do_it", [ok("do_it", 1, a="x")], broken)
    assert tool.parameters["properties"] == {"a": {"type": "string"}}


def test_without_a_manifest_the_name_is_the_description():
    assert schema_of("ns.cancelPendingOrder", [], None).description == "Cancel pending order."


def test_arguments_that_were_always_given_are_required():
    schema = inferred(ok("do_it", 1, a="x", b="y"), ok("do_it", 1, a="z"))
    assert schema["required"] == ["a"]
    assert schema["additionalProperties"] is False


def test_types_are_inferred():
    schema = inferred(
        ok("do_it", 1, s="a", i=1, n=1.5, b=True, l=["x"], o={"k": 1}, u=None),
        ok("do_it", 1, s="b", i=2, n=2, b=False, l=[], o={}, u="text"),
    )
    types = {name: part["type"] for name, part in schema["properties"].items()}
    assert types == {
        "s": "string",
        "i": "integer",
        "n": "number",
        "b": "boolean",
        "l": "array",
        "o": "object",
        "u": ["null", "string"],
    }
    assert schema["properties"]["l"]["items"] == {"type": "string"}


def test_few_texts_that_recur_are_an_enumeration():
    calls = [ok("do_it", 1, kind=("small", "large")[n % 2], id=f"k{n}") for n in range(12)]
    properties = inferred(*calls)["properties"]
    assert properties["kind"]["enum"] == ["large", "small"]
    assert "enum" not in properties["id"]


def test_ids_are_never_listed():
    calls = [ok("do_it", 1, doctor_id=("doc-1", "doc-2")[n % 2]) for n in range(12)]
    assert "enum" not in inferred(*calls)["properties"]["doctor_id"]


def test_failed_calls_do_not_widen_a_schema():
    schema = inferred(ok("do_it", 1, a="x"), failed("do_it", "Error", a=5, b="y"))
    assert schema["properties"]["a"]["type"] == "string"
    assert "b" not in schema["properties"]
