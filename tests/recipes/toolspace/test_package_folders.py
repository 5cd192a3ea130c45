"""Package folders that were tampered with: the gates name what is wrong, from the files alone."""

import json

import pytest

from envwright.events.errors import BadInputError
from envwright.sandbox.gates import run_gate
from envwright.sandbox.packages import Bundle
from support.searching_clinic import NEVER_ASKED, searching_draft

CASSETTES = "environment/cassettes.json"


@pytest.fixture(scope="module")
def draft():
    """A package whose reference calls a recorded tool."""
    drafts = (searching_draft(ordinal) for ordinal in range(1, 20))
    return next(d for d in drafts if "search_hours" in str(d.bundle.solution.calls))


@pytest.fixture
def folder(draft, tmp_path):
    """The package as a folder."""
    draft.bundle.write(tmp_path / "package")
    return tmp_path / "package"


def edit(path, change):
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def reasons(draft, folder):
    """Return the reasons of all gates that need no other process."""
    bundle = Bundle.read(folder)
    specs = [spec for spec in draft.gate_set if spec.gate != "deterministic"]
    return {
        result.reason
        for result in (run_gate(spec, bundle).result for spec in specs)
        if result.verdict != "pass"
    }


def test_a_folder_that_nobody_touched_passes(draft, folder):
    assert reasons(draft, folder) == set()


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 0.99])
def test_one_altered_byte_of_a_cassette_is_a_replay_mismatch(draft, folder, share):
    path = folder / CASSETTES
    data = bytearray(path.read_bytes())
    letters = [place for place, byte in enumerate(data) if chr(byte).isalpha()]
    data[letters[int(share * len(letters))]] ^= 1
    path.write_bytes(bytes(data))
    assert reasons(draft, folder) == {"REPLAY_MISMATCH"}


def test_a_byte_that_leaves_no_json_is_refused_by_name(folder):
    path = folder / CASSETTES
    path.write_bytes(b"[" + path.read_bytes()[1:])
    with pytest.raises(BadInputError, match=CASSETTES):
        Bundle.read(folder)


def test_a_call_that_was_never_recorded_is_a_cassette_miss(draft, folder):
    def ask_something_else(document):
        call = next(call for call in document["calls"] if call["name"] == "search_hours")
        call["arguments"] = NEVER_ASKED

    edit(folder / "solution" / "calls.json", ask_something_else)
    assert "CASSETTE_MISS" in reasons(draft, folder)


def test_an_assertion_that_is_true_at_the_start_is_vacuous(draft, folder):
    tables = json.loads((folder / "environment" / "tables.json").read_text("utf-8"))
    key, row = next(iter(tables["visits"]["rows"].items()))
    true = {"id": "extra", "path": ["tables", "visits", key, "day"], "op": "eq"}
    assertions = folder / "tests" / "assertions.json"
    edit(assertions, lambda held: held["state"].append({**true, "expected": row["day"]}))
    assert reasons(draft, folder) == {"VACUOUS_ASSERTIONS"}
