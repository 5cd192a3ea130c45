"""The catalog: one class per type, each with one kind of stream, one writer and one version."""

import re
from typing import get_args

import pytest

from envwright.events import FACTS, WRITERS
from envwright.events.catalog import StreamKind

NOT_WRITTEN_BY_A_ROLE = {
    "dataset.exported",
    "delivery.parked",
    "effect.completed",
    "effect.requested",
    "effect.resolved",
    "operator.applied",
    "package.retired",
    "run.forked",
    "run.paused",
    "run.requested",
    "run.resumed",
    "work.claimed",
    "work.expired",
}
"""Written by a person's command or by the machinery around the agents."""

STREAMS = {
    "source": "source.ingested source.profiled",
    "run": "brief.planned dataset.exported package.admitted package.inherited package.rejected"
    " round.opened round.settled run.completed run.failed run.forked run.paused run.requested"
    " run.resumed run.started",
    "package": "attempt.requested gate.evaluated operator.applied package.abandoned"
    " package.candidate package.drafted package.retired package.revised repair.requested"
    " review.completed testing.completed trial.closed trial.opened verdict.reached",
    "attempt": "attempt.finished attempt.started turn.taken",
    "work": "delivery.parked effect.completed effect.requested effect.resolved work.claimed"
    " work.expired",
}
"""What lives on which kind of stream. Logs rest on it: add lines, never move or rename one."""


def test_each_type_lives_on_the_stream_that_the_plan_gives_it():
    streams = {
        kind: " ".join(sorted(t for t in FACTS if FACTS[t].stream_kind == kind))
        for kind in get_args(StreamKind)
    }
    assert streams == STREAMS


def test_each_type_has_one_writer():
    assert set(WRITERS) | NOT_WRITTEN_BY_A_ROLE == set(FACTS)
    assert not set(WRITERS) & NOT_WRITTEN_BY_A_ROLE


@pytest.mark.parametrize(("name", "fact"), FACTS.items(), ids=list(FACTS))
def test_a_type_is_a_past_tense_name_with_a_version_and_a_docstring(name, fact):
    assert re.fullmatch(r"[a-z]+\.[a-z]+", name)
    assert name.endswith(("ed", "taken", "forked", "candidate"))
    assert fact.model_fields["schema_version"].default == 1
    assert fact.__doc__ and fact.__doc__ != fact.__base__.__doc__
    assert fact.stream_key in fact.model_fields
