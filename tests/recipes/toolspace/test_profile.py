"""The profile: one value for one set of sources, in whatever order they come."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envwright.events import encode
from envwright.events.errors import BadInputError
from envwright.recipes.recipe import Ingested
from envwright.recipes.toolspace.calls import Call, CallLog, Declaration, Manifest, Trace
from envwright.recipes.toolspace.profile import mine, read_profile
from envwright.recipes.toolspace.readers import read_source
from envwright.recipes.toolspace.report import report
from support.clinic import clinic_profile, clinic_source, lines, records, trajectories

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "move_visit",
            "description": "Move a booked visit to another day.",
            "parameters": {
                "type": "object",
                "properties": {
                    "visit_id": {"type": "integer"},
                    "day": {"type": "string", "enum": ["monday", "tuesday"]},
                },
                "required": ["visit_id", "day"],
            },
        },
    },
    {"type": "function", "function": {"name": "get_visit", "parameters": {"type": "object"}}},
]


def mined(*named):
    return mine([read_source(name, data) for name, data in named])


@settings(max_examples=3, deadline=None)
@given(st.randoms(use_true_random=False))
def test_shuffled_lines_and_files_give_equal_bytes(chance):
    rows = records(36)
    whole = encode(mined(("a.jsonl", lines(rows)), ("b.json", json.dumps(TOOLS).encode())))
    chance.shuffle(rows)
    half = len(rows) // 2
    ids = {row["trace_id"] for row in rows[:half]}
    first = [row for row in rows if row["trace_id"] in ids]
    second = [row for row in rows if row["trace_id"] not in ids]
    parts = [("c.json", json.dumps(TOOLS).encode()), ("d.jsonl", lines(first))]
    if second:
        parts.append(("e.jsonl", lines(second)))
    chance.shuffle(parts)
    assert encode(mined(*parts)) == whole


def test_shuffled_trajectories_give_equal_bytes():
    traces = trajectories(24)
    one = encode(mined(("a.json", json.dumps(traces).encode())))
    Random(1).shuffle(traces)
    assert encode(mined(("a.json", json.dumps(traces).encode()))) == one


def test_a_profile_survives_storage():
    stored = json.loads(encode(clinic_profile(), nfc=True))
    assert stored == clinic_profile()
    assert read_profile(stored) == read_profile(clinic_profile())


def test_a_manifest_gives_descriptions_and_schemas():
    profile = read_profile(
        mined(("a.jsonl", lines(records(36))), ("b.json", json.dumps(TOOLS).encode()))
    )
    schema = profile.tools["clinic.move_visit"].schema_
    assert schema.description == "Move a booked visit to another day."
    assert schema.parameters["properties"]["day"]["enum"] == ["monday", "tuesday"]


def test_manifests_alone_are_refused():
    with pytest.raises(BadInputError, match=r"no tool calls in the sources \(tools.json\)"):
        mined(("tools.json", json.dumps(TOOLS).encode()))


def test_two_services_do_not_merge():
    other = records(36, service="annex")
    profile = read_profile(mined(("a.jsonl", lines(records(36))), ("b.jsonl", lines(other))))
    assert {key.split(".")[0] for key in profile.tools} == {"annex", "clinic"}
    assert {table.namespace for table in profile.tables.values()} == {"annex", "clinic"}
    assert len(profile.tables) == 6


def test_a_log_that_gives_nothing_still_has_a_profile():
    rows = [
        {"trace_id": f"t{n}", "seq": 0, "tool": "roll", "args": {}, "result": n * 7, "status": "ok"}
        for n in range(3)
    ]
    profile = read_profile(mined(("dice.jsonl", lines(rows))))
    assert (profile.tables, profile.entries) == ({}, ())
    assert profile.tools[next(iter(profile.tools))].status == "unsupported"


def test_what_is_no_profile_is_refused():
    with pytest.raises(BadInputError, match="no profile of this version of toolspace"):
        read_profile({"schema_version": 1})


def test_the_counts_are_of_the_source():
    source = clinic_source()
    assert (clinic_profile()["traces"], clinic_profile()["calls"]) == (source.records, source.calls)


def test_stateless_tools_need_no_file():
    readers, quotes = ("tree", "bird", "fish", "moss"), ("size", "fare", "tax", "rate", "path")
    calls = [
        Call(
            f"get_{kind}",
            {f"{kind}_id": f"{kind}-{n}"},
            True,
            {f"{kind}_id": f"{kind}-{n}", "n": n},
        )
        for n in range(4)
        for kind in readers
        for key in [f"{kind}-{n}"]
    ]
    calls += [
        Call(f"quote_{what}", {"n": n}, True, f"{what} {n}") for n in range(3) for what in quotes
    ]
    traces = tuple(Trace(str(n), "", tuple(calls)) for n in range(3))
    parameters = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tools = tuple(Declaration(f"quote_{what}", "", parameters, "stateless") for what in quotes)
    materials = (CallLog(traces), Manifest("", tools))
    sources = [Ingested(str(n), "x", 1, 1, 0, (), m) for n, m in enumerate(materials)]
    profile = read_profile(mine(sources))
    stateless = [tool for tool in profile.tools.values() if tool.program.op == "recorded"]
    assert len(stateless) == 5
    assert report(profile)["files"] == {"needed": 9, "created": 4, "reduction": round(5 / 9, 4)}
