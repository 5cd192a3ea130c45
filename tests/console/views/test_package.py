"""A package as JSON."""

from typing import Any

import pytest

from envwright.console.views.package import last_made, package_view
from envwright.events.errors import BadInputError
from support.command_line import Finished


def view_of(finished: Finished, outcome: str) -> dict[str, Any]:
    """Return the view of the first package with an outcome."""
    with finished.runtime() as runtime:
        state = runtime.run_state(finished.run)
        kinds = {"admitted": "PackageAdmitted", "rejected": "PackageRejected"}
        package = next(
            fact.package
            for _, fact in sorted(state.outcomes.items())
            if type(fact).__name__ == kinds[outcome]
        )
        return package_view(runtime, package)


def test_an_admitted_package_has_content_proofs_and_lineage(finished: Finished) -> None:
    view = view_of(finished, "admitted")
    assert (view["status"], view["number"]) == ("admitted", 1)
    assert view["digest"] == finished.report["packages"][0]["digest"]
    assert "ticket T-1002" in view["instruction"]
    assert [fact["id"] for fact in view["facts"]] == ["customer", "ticket"]
    assert len(view["solution"]["calls"]) == view["calls"] == 3
    assert {gate["verdict"] for gate in view["gates"]} == {"pass"}
    assert all(len(gate["evidence"]) == 64 for gate in view["gates"])
    assert [trial["policy"] for trial in view["trials"] if trial["gating"]] == [
        "searcher",
        "random",
    ]
    for trial in view["trials"]:
        assert [attempt["index"] for attempt in trial["attempts"]] == list(range(trial["k"]))
    lineage = view["lineage"]
    assert lineage["run"] == finished.run and lineage["seed"] == 7
    assert lineage["sources"][0]["name"] == "subjects.json"
    assert lineage["brief_position"] < lineage["first_position"] < lineage["last_position"]
    assert view["revisions"][0]["digest"] == view["digest"]


def test_a_rejected_package_says_why(finished: Finished) -> None:
    view = view_of(finished, "rejected")
    assert (view["status"], view["reason"]) == ("rejected", "REFERENCE_FAILS")
    assert [gate["reason"] for gate in view["gates"]][-1] == "REFERENCE_FAILS"


def test_a_package_that_nobody_ordered_is_bad_input(finished: Finished) -> None:
    with finished.runtime() as runtime:
        with pytest.raises(BadInputError, match="no brief"):
            package_view(runtime, "pkg-none")
        with pytest.raises(BadInputError, match="no revision"):
            last_made(runtime, "pkg-none")
