"""Where the Critic sends a revision."""

import pytest

from envwright.events.catalog import (
    PackageRevised,
    RepairRequested,
    ReviewCompleted,
    TestingCompleted,
)
from envwright.recipes import Finding
from support.desk_recipe import DeskRecipe
from support.mending_recipe import MendingRecipe
from support.office import Office


def reviewed(office: Office, subject: str, **settings: object) -> object:
    """Return the one thing that the Critic says about a first draft."""
    run = office.request(subject, recipe="mending", **settings)
    [said] = office.handle(office.advance(run, "testing.completed")).said()
    return said


def test_a_revision_without_findings_passes(office: Office) -> None:
    review = reviewed(office, "good")
    assert isinstance(review, ReviewCompleted)
    assert (review.outcome, review.reasons) == ("pass", ())


@pytest.mark.parametrize(
    ("subject", "artifact", "reason"),
    [("broken", "solution", "REFERENCE_FAILS"), ("unclear", "instruction", "AMBIGUOUS")],
)
def test_a_fault_goes_to_the_one_artifact_that_is_blamed(
    office: Office, subject: str, artifact: str, reason: str
) -> None:
    repair = reviewed(office, subject)
    assert isinstance(repair, RepairRequested)
    assert (repair.artifact, repair.reason, repair.repair_round) == (artifact, reason, 1)


def test_past_the_limit_the_revision_is_rejected_with_every_reason_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        Finding(reason=reason, artifact="instruction") for reason in ("LEAK", "AMBIGUOUS", "LEAK")
    ]
    monkeypatch.setattr(MendingRecipe, "review", lambda self, bundle: tuple(found))
    review = reviewed(office, "good", max_repairs=0)
    assert isinstance(review, ReviewCompleted)
    assert (review.outcome, review.reasons) == ("reject", ("LEAK", "AMBIGUOUS"))


@pytest.mark.parametrize("repairs", [0, 1, 3])
def test_a_hopeless_package_is_repaired_to_the_limit_and_no_further(
    office: Office, repairs: int
) -> None:
    office.finish(office.request("hopeless", recipe="mending", max_repairs=repairs))
    assert len(office.facts(RepairRequested)) == len(office.facts(PackageRevised)) == repairs
    assert len(office.facts(TestingCompleted)) == repairs + 1
    [review] = office.facts(ReviewCompleted)
    assert (review.outcome, review.reasons) == ("reject", ("REFERENCE_FAILS",))


def test_what_the_gates_of_an_earlier_revision_found_is_forgotten(office: Office) -> None:
    office.finish(office.request("broken", recipe="mending"))
    [review] = office.facts(ReviewCompleted)
    [revised] = office.facts(PackageRevised)
    assert (review.outcome, review.revision) == ("pass", revised.revision)


def test_a_revision_that_failed_a_gate_is_not_read(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(*_: object) -> None:
        raise AssertionError("nobody reads what does not run")

    monkeypatch.setattr(DeskRecipe, "review", read)
    run = office.request("flawed")
    [said] = office.handle(office.advance(run, "testing.completed")).said()
    assert isinstance(said, RepairRequested)
