"""Cassettes: recorded answers, misses and tapes that were altered."""

import json

import pytest

from envwright.events.values import ToolSchema
from envwright.sandbox.gates import gate_spec, run_gate
from envwright.sandbox.packages import Bundle
from envwright.sandbox.worlds import (
    CASSETTE_MISS,
    ReplayMismatchError,
    cassette_key,
    open_world,
    tape_digest,
)
from support.packages import desk_bundle

QUOTE = ToolSchema(
    name="quote",
    parameters={"type": "object", "properties": {"weight": {"type": "integer"}}},
)
TAPE = {cassette_key("quote", {"weight": n}): {"price": 3 * n} for n in (1, 2)}


def files(tape=None):
    programs = {"quote": {"op": "recorded", "tape": tape_digest(TAPE)}}
    return {
        "tables.json": b"{}",
        "programs.json": json.dumps(programs).encode(),
        "world.json": b'{"clock": "2024-01-01T00:00:00Z"}',
        "cassettes.json": json.dumps({"quote": TAPE}).encode() if tape is None else tape,
    }


def test_what_was_recorded_is_played_and_nothing_changes():
    world = open_world("tables", (QUOTE,), files())
    before = world.digest()
    result = world.call("quote", {"weight": 2})
    assert (result.ok, result.value) == (True, {"price": 6})
    assert world.digest() == before


def test_a_miss_is_an_error_and_never_an_answer():
    result = open_world("tables", (QUOTE,), files()).call("quote", {"weight": 9})
    assert not result.ok
    assert CASSETTE_MISS in result.value


def test_one_altered_byte_does_not_open():
    data = files()["cassettes.json"]
    for place in range(0, len(data), 7):
        altered = bytes([*data[:place], data[place] ^ 1, *data[place + 1 :]])
        with pytest.raises(ReplayMismatchError):
            open_world("tables", (QUOTE,), files(altered))


def test_a_missing_tape_does_not_open():
    with pytest.raises(ReplayMismatchError, match="restore what was recorded"):
        open_world("tables", (QUOTE,), {**files(), "cassettes.json": b"{}"})


def with_quote(weight=2, alter=None):
    """The desk package with a recorded tool that its reference calls first."""
    bundle = desk_bundle()
    documents = {name: json.loads(data) for name, data in bundle.files.items() if name[-1] == "n"}
    documents["package.json"]["tools"].append(QUOTE.model_dump(mode="json"))
    documents["environment/programs.json"]["quote"] = json.loads(files()["programs.json"])["quote"]
    documents["environment/cassettes.json"] = {"quote": alter or TAPE}
    call = {"name": "quote", "arguments": {"weight": weight}}
    documents["solution/calls.json"]["calls"].insert(0, call)
    changed = {name: json.dumps(document).encode() for name, document in documents.items()}
    return Bundle({**bundle.files, **changed})


@pytest.mark.parametrize(
    ("bundle", "reason"),
    [
        (with_quote(), ""),
        (with_quote(weight=9), "CASSETTE_MISS"),
        (with_quote(alter={**TAPE, next(iter(TAPE)): {"price": 4}}), "REPLAY_MISMATCH"),
    ],
)
def test_a_gate_names_what_is_wrong(bundle, reason):
    assert run_gate(gate_spec("reference_passes"), bundle).result.reason == reason
    if reason == "REPLAY_MISMATCH":
        assert run_gate(gate_spec("executable"), bundle).result.reason == reason
