"""The packages of a run: each step of a package's life, and its lineage."""

import pytest

from envwright.events.catalog import (
    BriefPlanned,
    PackageAbandoned,
    PackageAdmitted,
    PackageCandidate,
    PackageDrafted,
    PackageInherited,
    PackageRejected,
    PackageRetired,
    PackageRevised,
    RepairRequested,
    ReviewCompleted,
)
from envwright.events.values import ArtifactRef, Brief
from envwright.store.readmodels import Packages
from support.folded import folded

BUNDLE = ArtifactRef(digest="0" * 64, size=1)
MADE = {"package": "p", "round": 1, "ordinal": 2, "bundle": BUNDLE}
SET = {"gate_set": (), "gate_set_digest": "d"}
BRIEF = Brief(package="p", recipe="desk", recipe_version="1", round=1, ordinal=2, content_seed="s")
PLANNED = BriefPlanned(run="r", brief=BRIEF)
DRAFTED = PackageDrafted(**MADE, **SET, revision="one")
REPAIR = RepairRequested(
    package="p", revision="one", artifact="solution", reason="WRONG", repair_round=1
)
REVISED = PackageRevised(
    **MADE, **SET, revision="two", parent="one", artifact="solution", repair_round=1
)
CANDIDATE = PackageCandidate(package="p", run="r", round=1, ordinal=2, ok=False, reasons=("A", "B"))
SLOT = {"run": "r", "package": "p", "round": 1, "ordinal": 2}
ADMITTED = PackageAdmitted(**SLOT, revision="two", number=1)


def row(*facts):
    return folded(Packages(), facts)["r/p"]


@pytest.mark.parametrize(
    ("facts", "status", "reason"),
    [
        ([PLANNED], "planned", ""),
        ([PLANNED, DRAFTED], "drafted", ""),
        ([PLANNED, DRAFTED, REPAIR], "in repair", ""),
        (
            [PLANNED, PackageAbandoned(package="p", round=1, ordinal=2, reason="X")],
            "abandoned",
            "X",
        ),
        ([ReviewCompleted(package="p", revision="one", outcome="pass")], "reviewed", ""),
        ([ReviewCompleted(package="p", revision="one", outcome="reject")], "turned down", ""),
        ([DRAFTED, CANDIDATE], "candidate", "A; B"),
        ([DRAFTED, ADMITTED], "admitted", ""),
        ([DRAFTED, PackageRejected(**SLOT, reason="surplus")], "rejected", "surplus"),
        ([ADMITTED, PackageRetired(package="p", revision="two", reason="old")], "retired", "old"),
    ],
)
def test_a_package_has_its_state_and_reason(facts, status, reason):
    found = row(*facts)
    assert (found["status"], found["reason"], found["package"]) == (status, reason, "p")


def test_revisions_and_repairs_are_its_lineage():
    found = row(PLANNED, DRAFTED, REPAIR, REVISED, ADMITTED)
    assert [(made["revision"], made["parent"]) for made in found["revisions"]] == [
        ("one", None),
        ("two", "one"),
    ]
    assert found["repairs"] == [{"artifact": "solution", "reason": "WRONG"}]
    assert (found["revision"], found["number"]) == ("two", 1)
    assert (found["recipe"], found["round"], found["ordinal"]) == ("desk", 1, 2)
    assert found["inherited_from"] is None


def test_an_inherited_package_says_from_where():
    inherited = PackageInherited(
        **SLOT, brief=BRIEF, ok=True, outcome="admitted", origin_run="before", event="e"
    )
    found = row(inherited, ADMITTED)
    assert found["inherited_from"] == {"run": "before", "event": "e", "outcome": "admitted"}
    assert found["status"] == "admitted" and found["revisions"] == []
