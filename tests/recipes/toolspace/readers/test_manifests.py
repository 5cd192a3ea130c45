"""Tool manifests: declarations alone, in lists, and with the services that they name."""

import pytest

from envwright.recipes.toolspace.readers.documents import Element
from envwright.recipes.toolspace.readers.manifests import ManifestReader
from envwright.recipes.toolspace.readers.skips import Skips

SCHEMA = {"type": "object", "properties": {"k": {"type": "string"}}}


def tool(name, **more):
    return {"name": name, "inputSchema": SCHEMA, **more}


def read(*values):
    skips = Skips()
    reader = ManifestReader(skips)
    for value in values:
        assert ManifestReader.recognises(value)
        reader.take(Element("tools.json: element 1", value))
    assert reader.traces() == ()
    return [(m.service, [t.name for t in m.tools]) for m in reader.manifests()], skips


def test_declarations_that_are_elements_are_one_manifest():
    assert read(tool("b"), tool("a"))[0] == [("", ["a", "b"])]


def test_a_list_with_its_service_is_one_manifest():
    assert read({"service": "shop", "tools": [tool("b"), tool("a")]})[0] == [("shop", ["a", "b"])]


def test_declarations_may_name_their_services():
    found, _ = read(tool("a", service="shop"), tool("b", service="mail"))
    assert found == [("mail", ["b"]), ("shop", ["a"])]


def test_what_is_no_declaration_in_a_list_is_a_skip():
    found, skips = read({"tools": [tool("a"), {"no": "tool"}]})
    assert (found, skips.count) == ([("", ["a"])], 1)


@pytest.mark.parametrize("value", [{"tools": []}, {"tools": [1]}, {"name": "get"}, [], 7])
def test_what_declares_no_tool_is_no_manifest(value):
    assert not ManifestReader.recognises(value)
