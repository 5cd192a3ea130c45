"""Admissions: each is checked, numbered in its run, and told with its grounds."""

from envwright.agents.audit import admissions as module
from envwright.agents.audit.admissions import Admissions
from envwright.events.catalog import GateEvaluated, PackageAdmitted, PackageInherited
from support.audited_events import places


def seen(scroll, run: str | None = None) -> Admissions:
    admissions = Admissions(scroll.log)
    for event in scroll.log.read_all(run_id=run):
        admissions.see(event)
    return admissions


def test_earned_admissions_are_told_in_order(scroll):
    scroll.write(packages=3)
    found = seen(scroll)
    assert (found.check.checked, found.check.failed) == (3, 0)
    assert [row["number"] for row in found.told] == [1, 2, 3]
    assert all(row["sound"] and len(row["gates"]) == 3 for row in found.told)


def test_an_admission_that_was_not_earned_is_named(scroll):
    scroll.write(lambda fact, role: None if isinstance(fact, GateEvaluated) else (fact, role))
    found = seen(scroll)
    (admitted,) = scroll.events("package.admitted")
    assert set(places(found.check.failures)) == {admitted.position}
    assert [row["sound"] for row in found.told] == [False]


def test_an_admission_of_nothing_at_all_is_named(scroll):
    writer = scroll.writer()
    fact = PackageAdmitted(
        run="run-1", package="p", revision="a" * 64, round=1, ordinal=1, number=1
    )
    writer.say("judge", fact)
    writer.commit()
    assert "made before position 1" in seen(scroll).check.failures[0].expected


def test_numbers_have_no_gap(scroll):
    scroll.write(
        lambda fact, role: (
            fact.model_copy(update={"number": 2}) if isinstance(fact, PackageAdmitted) else fact,
            role,
        )
    )
    assert seen(scroll).check.failures[0].expected == "admission 1"


def test_a_package_of_another_run_needs_to_be_inherited(scroll):
    scroll.write()
    (first,) = (event.fact for event in scroll.events("package.admitted"))
    (planned,) = (event.fact for event in scroll.events("brief.planned"))
    writer = scroll.writer("run-2")
    admitted = first.model_copy(update={"run": "run-2"})
    writer.say("judge", admitted)
    writer.commit()
    (failure,) = seen(scroll, "run-2").check.failures
    assert failure.expected == "a package of run run-2"
    inherited = PackageInherited(
        run="run-3", package=first.package, round=1, ordinal=1, brief=planned.brief,
        revision=first.revision, ok=True, outcome="admitted", origin_run="run-1", event="e",
    )  # fmt: skip
    writer = scroll.writer("run-3")
    writer.say("planner", inherited)
    writer.say("judge", first.model_copy(update={"run": "run-3"}))
    writer.commit()
    found = seen(scroll, "run-3")
    assert found.check.failed == 0
    assert found.told[0]["inherited_from"] == "run-1"


def test_past_a_limit_admissions_are_checked_and_not_told(scroll, monkeypatch):
    monkeypatch.setattr(module, "LISTED", 1)
    scroll.write(packages=2)
    found = seen(scroll)
    assert (found.check.checked, len(found.told)) == (2, 1)


def test_an_admission_that_cannot_be_read_is_named(scroll):
    scroll.write()
    (event,) = scroll.events("package.admitted")
    admissions = Admissions(scroll.log)
    admissions.see(event.model_copy(update={"body": b'{"made":"up"}'}))
    assert places(admissions.check.failures) == [event.position]
