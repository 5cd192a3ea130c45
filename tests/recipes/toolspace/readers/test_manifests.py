"""Tool manifests: declarations in the field's two formats."""

import pytest

from envwright.recipes.toolspace.readers.manifests import declarations_of, read_declarations

SCHEMA = {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]}
OPENAI = {
    "type": "function",
    "function": {"name": "get", "description": "Get it.", "parameters": SCHEMA},
}
MCP = {
    "name": "get",
    "description": "Get it.",
    "inputSchema": SCHEMA,
    "annotations": {"readOnlyHint": True},
}


@pytest.mark.parametrize("value", [OPENAI, MCP])
def test_a_declaration_is_read(value):
    (tool,) = read_declarations(declarations_of(value) or [])
    assert (tool.name, tool.description, tool.parameters) == ("get", "Get it.", SCHEMA)


def test_a_list_of_tools_is_read():
    assert len(declarations_of({"tools": [OPENAI, MCP, {"no": "tool"}]}) or []) == 2


def test_the_effect_is_what_the_manifest_says():
    put = {"name": "put", "parameters": {}, "effect": "write"}
    effects = [tool.effect for tool in read_declarations([MCP, put, OPENAI])]
    assert effects == ["read", "write", ""]


def test_a_schema_without_properties_gets_none():
    (tool,) = read_declarations([{"name": "ping", "parameters": {}}])
    assert tool.parameters == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    "value", [{"name": "get"}, {"role": "user", "name": "a", "parameters": {}}, {"tools": []}, 7]
)
def test_what_declares_no_tool_is_no_manifest(value):
    assert declarations_of(value) is None
