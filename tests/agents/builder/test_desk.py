"""What the Builder makes of a brief and of a repair."""

from typing import Any

import pytest

from envwright.agents.builder.desk import BuilderDesk
from envwright.events.catalog import (
    PackageAbandoned,
    PackageCandidate,
    PackageDrafted,
    PackageRejected,
    PackageRevised,
    RunStarted,
)
from envwright.sandbox.gates import gate_set_digest
from envwright.sandbox.packages import CARRIERS, Bundle
from support.office import Office


def content(bundle: Bundle) -> dict[str, Any]:
    """Return a bundle's documents without the canary, which follows from all of them."""
    found: dict[str, Any] = dict(bundle.files)
    for path in CARRIERS:
        found[path] = {name: v for name, v in bundle.json(path).items() if name != "canary"}
    return found


def test_a_draft_names_its_revision_its_files_and_its_gates(office: Office) -> None:
    cause = office.advance(office.request(slots=2), "brief.planned")
    [drafted] = office.handle(cause).said()
    assert isinstance(drafted, PackageDrafted)
    assert drafted.package == cause.correlation_id
    assert (drafted.round, drafted.ordinal, drafted.repair_round) == (1, 2, 0)
    bundle = Bundle.load(office.runtime.artifacts, drafted.bundle)
    assert bundle.revision == drafted.revision
    assert drafted.gate_set_digest == gate_set_digest(drafted.gate_set)


def test_a_brief_without_a_task_abandons_the_package_and_its_slot_is_rejected(
    office: Office,
) -> None:
    run = office.request("none")
    assert office.finish(run) == "short"
    [abandoned] = office.facts(PackageAbandoned)
    assert (abandoned.round, abandoned.ordinal, abandoned.reason) == (1, 1, "NO_TASK")
    [candidate] = office.facts(PackageCandidate)
    assert (candidate.ok, candidate.reasons, candidate.revision) == (False, ("NO_TASK",), None)
    assert [fact.reason for fact in office.facts(PackageRejected)] == ["NO_TASK"]


@pytest.mark.parametrize(
    ("subject", "artifact", "changed"),
    [
        ("broken", "solution", "solution/calls.json"),
        ("unclear", "instruction", "instruction.md"),
    ],
)
def test_a_repair_makes_the_blamed_artifact_anew_and_keeps_the_others(
    office: Office, subject: str, artifact: str, changed: str
) -> None:
    assert office.finish(office.request(subject, recipe="mending")) == "completed"
    [drafted], [revised] = office.facts(PackageDrafted), office.facts(PackageRevised)
    assert (revised.parent, revised.artifact) == (drafted.revision, artifact)
    assert (revised.repair_round, revised.ordinal) == (1, drafted.ordinal)
    before, after = (
        content(Bundle.load(office.runtime.artifacts, made.bundle)) for made in (drafted, revised)
    )
    assert {path for path in before if before[path] != after[path]} == {changed}
    assert before.keys() == after.keys()


def test_a_second_repair_starts_from_the_first(office: Office) -> None:
    office.finish(office.request("hopeless", recipe="mending", max_repairs=2))
    one, two = office.facts(PackageRevised)
    assert (two.parent, two.repair_round) == (one.revision, 2)


def test_a_repair_that_finds_no_other_way_abandons_the_package(office: Office) -> None:
    assert office.finish(office.request("flawed")) == "short"
    [abandoned] = office.facts(PackageAbandoned)
    assert abandoned.reason == "REFERENCE_FAILS"
    [candidate] = office.facts(PackageCandidate)
    assert (candidate.ok, candidate.reasons) == (False, ("REFERENCE_FAILS",))


def test_a_profile_is_fetched_once_for_many_briefs(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.advance(office.request("one of its own", "b", slots=3), "brief.planned")
    get, fetched = office.runtime.artifacts.get, []
    monkeypatch.setattr(
        office.runtime.artifacts, "get", lambda digest: fetched.append(digest) or get(digest)
    )
    for cause in office.events("brief.planned"):
        assert BuilderDesk(office.context(cause)).make()
    [started] = office.facts(RunStarted)
    assert fetched.count(started.profile.digest) == 1
