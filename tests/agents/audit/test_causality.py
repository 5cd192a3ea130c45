"""Causality: causes are there, earlier, of the same run, and the role's to answer."""

import pytest

from envwright.agents.audit import causality as module
from envwright.agents.audit.causality import Causality
from envwright.events.catalog import ReviewCompleted, RunPaused, RunResumed
from support.audited_events import places


def failures(scroll):
    causality = Causality(scroll.log)
    scroll.show(causality)
    return causality.check.failures


@pytest.mark.parametrize("remembered", [50_000, 1])
def test_a_run_as_it_should_be_has_no_failure(scroll, monkeypatch, remembered):
    monkeypatch.setattr(module, "_REMEMBERED", remembered)
    scroll.write()
    assert failures(scroll) == []


@pytest.mark.parametrize("remembered", [50_000, 1])
def test_a_cause_that_is_missing_later_or_of_another_run_is_named(scroll, monkeypatch, remembered):
    monkeypatch.setattr(module, "_REMEMBERED", remembered)
    writer = scroll.writer()
    other = scroll.writer("run-2").say("operator", RunResumed(run="run-2"))
    later = scroll.writer().say("operator", RunResumed(run="run-1"))
    writer._pending.append(other)
    paused = RunPaused(run="run-1", cause="user")
    for cause in (later, other, scroll.writer().say("operator", paused)):
        writer.say("system", paused, cause)
    writer._pending.append(later)
    writer.commit()
    found = failures(scroll)
    assert places(found) == [2, 3, 4]
    assert [failure.expected.split(" ", 2)[2].split()[0] for failure in found] == [
        "before", "in", "that",
    ]  # fmt: skip


def test_an_answer_to_what_is_not_its_roles_to_answer_is_named(scroll):
    scroll.write()
    writer = scroll.writer()
    gate = scroll.events("gate.evaluated")[0]
    review = ReviewCompleted(package=gate.data["package"], revision="a" * 64, outcome="pass")
    writer.say("critic", review, None, causation_id=gate.id)
    writer.commit()
    (failure,) = failures(scroll)
    assert failure.expected == "the critic to answer testing.completed"
    assert failure.found == "an answer to gate.evaluated"


def test_what_an_agent_says_without_a_cause_is_named(scroll):
    writer = scroll.writer()
    writer.say("critic", ReviewCompleted(package="p", revision="a" * 64, outcome="pass"))
    writer.say("operator", RunPaused(run="run-1", cause="user"))
    writer.commit()
    assert places(failures(scroll)) == [1]
