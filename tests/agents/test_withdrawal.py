"""Which deliveries nobody needs any more."""

import pytest

from envwright.agents.slots import RunState, fold_run
from envwright.agents.withdrawal import is_gating, is_withdrawn
from envwright.events import Envelope, Fact
from envwright.events.catalog import (
    AttemptRequested,
    BriefPlanned,
    PackageDrafted,
    PackageRejected,
    RoundSettled,
    RunCompleted,
    RunFailed,
    RunRequested,
)
from envwright.events.values import ArtifactRef, Brief, PolicySpec, RunSettings
from support.facts import recorded

EMPTY = ArtifactRef(digest="0" * 64, size=0)
REQUESTED = RunRequested(run="r", settings=RunSettings(recipe="desk", count=1), sources=())
OVER = RunCompleted(run="r", admitted=0, requested=1, shortfall=1, reason="dry_round")
SETTLED = RoundSettled(run="r", round=1, admitted=0, rejected=1, total_admitted=0)


def cause(fact: Fact) -> Envelope:
    return recorded([fact])[0]


def state(*facts: Fact) -> RunState:
    return fold_run(recorded([REQUESTED, *facts]))


def drafted(package: str = "p") -> PackageDrafted:
    return PackageDrafted(
        package=package,
        round=1,
        ordinal=1,
        revision="d",
        bundle=EMPTY,
        gate_set=(),
        gate_set_digest="",
    )


def attempt(*, gating: bool) -> AttemptRequested:
    return AttemptRequested(
        package="p",
        revision="d",
        bundle=EMPTY,
        trial="t",
        attempt="a",
        index=0,
        policy=PolicySpec(name="random"),
        seed=1,
        max_turns=1,
        gating=gating,
    )


REJECTED = PackageRejected(run="r", package="p", round=1, ordinal=1, reason="surplus")


def test_work_on_an_open_slot_is_needed() -> None:
    assert not is_withdrawn(cause(drafted()), state())


@pytest.mark.parametrize("fact", [REJECTED, OVER, RunFailed(run="r", reason="x")])
def test_work_on_a_settled_slot_or_in_a_run_that_is_over_is_not(fact: Fact) -> None:
    assert is_withdrawn(cause(drafted()), state(fact))
    assert is_withdrawn(cause(attempt(gating=True)), state(fact))


def test_another_package_is_not_withdrawn_with_it() -> None:
    assert not is_withdrawn(cause(drafted("other")), state(REJECTED))


def test_what_concerns_the_run_itself_is_always_needed() -> None:
    assert not is_withdrawn(cause(SETTLED), state(REJECTED, OVER))


def test_a_brief_stands_on_the_runs_stream_and_is_withdrawn_with_its_slot() -> None:
    brief = Brief(
        package="p", recipe="desk", recipe_version="1", round=1, ordinal=1, content_seed="s"
    )
    planned = cause(BriefPlanned(run="r", brief=brief)).model_copy(update={"correlation_id": "p"})
    assert not is_withdrawn(planned, state())
    assert is_withdrawn(planned, state(REJECTED))


def test_a_later_trial_of_a_settled_package_is_needed() -> None:
    assert not is_gating(cause(attempt(gating=False)))
    assert is_gating(cause(attempt(gating=True))) and is_gating(cause(drafted()))
    assert not is_withdrawn(cause(attempt(gating=False)), state(REJECTED, OVER))
