"""Declarations: tools in the field's formats, and lists of them that belong together."""

import pytest

from envwright.recipes.toolspace.readers.declarations import (
    ToolLists,
    declared_in,
    is_declaration,
    read_declaration,
)
from envwright.recipes.toolspace.readers.jsontext import parse
from envwright.recipes.toolspace.readers.skips import Skips

SCHEMA = {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}
OPENAI = {
    "type": "function",
    "function": {"name": "get", "description": "Get it.", "parameters": SCHEMA},
}
MCP = {
    "name": "get",
    "title": "The getter",
    "description": "Get it.",
    "inputSchema": SCHEMA,
    "annotations": {"readOnlyHint": True},
}
BARE = {"title": "get", "description": "Get it.", **SCHEMA}


def tool(name, text="", **more):
    return {"name": name, "description": text, "inputSchema": SCHEMA, **more}


def manifests(*lists, service=""):
    skips = Skips()
    collected = ToolLists(skips)
    for values in lists:
        collected.add("tools.json", service, values)
    found = collected.manifests()
    return [(m.service, [t.name for t in m.tools]) for m in found], skips


@pytest.mark.parametrize(
    "value",
    [
        OPENAI,
        MCP,
        BARE,
        {"type": "function", **OPENAI["function"]},
        {"name": "get", "description": "Get it.", "input_schema": SCHEMA},
    ],
)
def test_a_declaration_is_read_in_every_format(value):
    assert is_declaration(value)
    found = read_declaration(value)
    assert (found.name, found.description, found.parameters) == ("get", "Get it.", SCHEMA)


def test_the_effect_is_what_the_manifest_says():
    values = [
        MCP,
        OPENAI,
        tool("a", effect="write"),
        tool("b", annotations={"readOnlyHint": False}),
        {**MCP, "effect": "write"},
        {**OPENAI, "effect": "read"},
        tool("c", effect="maybe"),
    ]
    effects = [read_declaration(value).effect for value in values]
    assert effects == ["read", "", "write", "write", "write", "read", ""]


@pytest.mark.parametrize(
    "value", [{"name": "ping", "parameters": {}}, {"type": "function", "function": {"name": "p"}}]
)
def test_a_tool_without_parameters_takes_none(value):
    assert read_declaration(value).parameters == {"type": "object", "properties": {}}


def test_broken_properties_are_none():
    found = read_declaration({"name": "get", "parameters": {"properties": [1]}})
    assert found.parameters == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    "value",
    [
        {"name": "get"},
        {"role": "user", "name": "a", "parameters": {}},
        {"type": "function", "function": {"name": "get", "arguments": "{}"}},
        {"title": "A book", "pages": 5},
        {"name": 5, "parameters": {}},
        7,
    ],
)
def test_what_declares_no_tool_is_no_declaration(value):
    assert not is_declaration(value)


@pytest.mark.parametrize(
    "value",
    [
        [OPENAI, MCP],
        {"tools": [OPENAI, MCP]},
        {"functions": [OPENAI, MCP]},
        {"tools": [{"functionDeclarations": [OPENAI, MCP]}]},
        {"tools": {"get": {"parameters": SCHEMA}, "put": {"parameters": SCHEMA}}},
    ],
)
def test_tools_are_found_in_lists(value):
    assert len(declared_in(value)) == 2
    assert all(map(is_declaration, declared_in(value)))


def test_lists_of_one_service_are_one_manifest():
    found, skips = manifests([tool("b")], [tool("a"), tool("b")], [tool("a")], service="shop")
    assert found == [("shop", ["a", "b"])]
    assert skips.count == 0


def test_a_tool_may_name_its_service():
    found, _ = manifests([tool("a", service="shop"), tool("b", service="mail"), tool("c")])
    assert found == [("", ["c"]), ("mail", ["b"]), ("shop", ["a"])]


def test_lists_that_share_half_of_their_tools_are_one_manifest():
    found, _ = manifests([tool("a"), tool("b"), tool("c")], [tool("a"), tool("d")])
    assert found == [("", ["a", "b", "c", "d"])]


def test_lists_that_disagree_or_share_little_stay_apart():
    shop = [tool("get_user", "of the shop"), tool("a"), tool("b")]
    airline = [tool("get_user", "who flies"), tool("a"), tool("c")]
    other = [tool("a"), tool("x"), tool("y")]
    for lists in ([shop, airline, other], [other, airline, shop]):
        found, _ = manifests(*lists)
        assert sorted(names for _, names in found) == [
            ["a", "b", "get_user"],
            ["a", "c", "get_user"],
            ["a", "x", "y"],
        ]


def test_bad_declarations_are_skips_with_their_place():
    values = [tool("a"), tool("a", "otherwise"), {"name": "b"}, 5]
    values.append({"name": "c", "parameters": parse('{"properties": {"k": NaN}}')})
    found, skips = manifests(values)
    assert found == [("", ["a"])]
    assert [skip.place for skip in skips.kept()] == ["tools.json"] * 4
    assert "declared twice" in skips.kept()[0].reason
