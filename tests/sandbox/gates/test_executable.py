"""Gate `executable`."""

import re

import pytest

from envwright.sandbox.gates import gate_spec, run_gate
from envwright.sandbox.packages import Bundle
from envwright.sandbox.worlds.tables import TableWorld
from support.packages import desk_bundle, desk_files, tool


def outcome(change=None):
    return run_gate(gate_spec("executable"), desk_bundle(change))


def test_a_well_formed_package_passes_and_shows_its_tools():
    passed = outcome()
    assert passed.result.verdict == "pass"
    assert passed.evidence["tools"] == [
        "close_ticket",
        "file_ticket",
        "find_customer",
        "get_ticket",
    ]


MALFORMED = {
    "environment": [
        ("package.json", lambda d: d["package.json"].update(world="dreams"), "dreams"),
        ("tables", lambda d: d.update({"environment/tables.json": []}), "tables.json"),
        ("program", lambda d: d["environment/programs.json"].pop("get_ticket"), "get_ticket"),
        (
            "unknown table",
            lambda d: d["environment/programs.json"]["get_ticket"].update(table="parts"),
            "parts",
        ),
        (
            "undeclared argument",
            lambda d: d["environment/programs.json"]["get_ticket"].update(
                key={"op": "arg", "path": ["id"]}
            ),
            "get_ticket",
        ),
        ("tool", lambda d: d["package.json"]["tools"].append(tool("extra")), "extra"),
        (
            "tool schema",
            lambda d: d["package.json"]["tools"][0].update(parameters={"type": "wish"}),
            "find_customer",
        ),
    ],
    "instruction": [
        ("empty", lambda d: d.update({"instruction.md": " \n"}), "instruction.md"),
        ("blueprint", lambda d: d["blueprint.json"].update(facts=[{"id": "a"}]), "blueprint.json"),
        (
            "boundary",
            lambda d: d["package.json"].update(boundary=["files/a.md"]),
            r"files/a\.md: missing",
        ),
    ],
    "verifier": [
        (
            "operator",
            lambda d: d["tests/assertions.json"]["state"][0].update(op="like"),
            r"assertions\.json: state\.0\.op",
        ),
    ],
    "solution": [
        ("calls", lambda d: d["solution/calls.json"].update(calls=[{}]), r"calls\.json: calls\.0"),
        ("version", lambda d: d["solution/calls.json"].update(schema_version=9), "schema_version"),
    ],
}


@pytest.mark.parametrize(
    ("artifact", "change", "message"),
    [
        pytest.param(artifact, change, message, id=f"{artifact}: {name}")
        for artifact, cases in MALFORMED.items()
        for name, change, message in cases
    ],
)
def test_malformed_content_fails_and_blames_its_artifact(artifact, change, message):
    result = outcome(change).result
    assert (result.verdict, result.reason) == ("fail", "MALFORMED_CONTENT")
    assert result.blames == artifact
    assert re.search(message, result.detail)


@pytest.mark.parametrize("path", sorted(set(desk_files()) - {"environment/world.json"}))
def test_a_missing_file_fails_by_name(path):
    files = {name: data for name, data in desk_bundle().files.items() if name != path}
    result = run_gate(gate_spec("executable"), Bundle(files)).result
    assert (result.verdict, result.reason) == ("fail", "MALFORMED_CONTENT")
    assert path in result.detail


def test_a_world_that_does_not_come_back_on_a_reset_fails(monkeypatch):
    monkeypatch.setattr(TableWorld, "reset", _only_once(TableWorld.reset))
    assert outcome().result.reason == "RESET_DIFFERS"


def _only_once(reset):
    def forgetful(world, seed):
        if not hasattr(world, "_tables"):
            reset(world, seed)

    return forgetful


def test_a_world_that_offers_other_tools_fails(monkeypatch):
    tools = TableWorld.tools
    monkeypatch.setattr(TableWorld, "tools", lambda world: tools(world)[1:])
    assert outcome().result.reason == "TOOLS_DIFFER"
