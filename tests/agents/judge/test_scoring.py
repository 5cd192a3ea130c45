"""Verdicts come from what was called, replayed; what an attempt says of itself is checked."""

from collections.abc import Sequence
from typing import Any

import pytest

from envwright.agents.judge.scoring import score
from envwright.events.catalog import AttemptFinished
from envwright.events.errors import InfrastructureError
from envwright.events.values import ArtifactRef, Observation, ToolCall, Turn
from envwright.sandbox.attempts import replay_calls
from envwright.sandbox.packages import Bundle
from support.packages import desk_bundle


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return desk_bundle()


def attempt(
    bundle: Bundle, calls: Sequence[ToolCall], per_turn: int = 1, **changes: Any
) -> tuple[AttemptFinished, list[Turn]]:
    """Return the true record of an attempt that made these calls."""
    rerun = replay_calls(bundle, 0, calls)
    turns = []
    for place in range(0, len(calls), per_turn):
        steps = rerun.steps[place : place + per_turn]
        turns.append(
            Turn(
                index=len(turns) + 1,
                calls=tuple(step.call for step in steps),
                observations=tuple(step.observation for step in steps),
                state_digest=steps[-1].digest,
            )
        )
    fields = {"turns": len(turns), "state_digest": rerun.end, **changes}
    finished = AttemptFinished(
        attempt="a",
        package="p",
        revision=bundle.revision,
        bundle=ArtifactRef(digest="0" * 64, size=0),
        trial="t",
        index=0,
        seed=0,
        outcome="answer",
        **fields,
    )
    return finished, turns


@pytest.mark.parametrize("per_turn", [1, 2, 3])
def test_the_reference_passes_however_its_calls_are_shared_out(
    bundle: Bundle, per_turn: int
) -> None:
    verdict = score(bundle, *attempt(bundle, bundle.solution.calls, per_turn))
    assert (verdict.outcome, verdict.reward) == ("pass", 1.0)
    assert {component.name for component in verdict.components} == {
        *("closed", "outcome", "filed", "customers", "tickets"),
    }
    assert {component.value for component in verdict.components} == {1.0}


def test_doing_nothing_fails_with_the_evidence_of_each_assertion(bundle: Bundle) -> None:
    verdict = score(bundle, *attempt(bundle, ()))
    assert (verdict.outcome, verdict.reward) == ("fail", 0.0)
    values = {component.name: component.value for component in verdict.components}
    assert values["filed"] == 0.0
    [closed] = [each for each in verdict.components if each.name == "closed"]
    assert "open" in closed.evidence


def test_a_turn_without_calls_changes_nothing(bundle: Bundle) -> None:
    finished, turns = attempt(bundle, bundle.solution.calls, turns=4)
    thought = turns[1].model_copy(update={"calls": (), "observations": (), "index": 3})
    assert score(bundle, finished, [*turns[:2], thought, turns[2]]).outcome == "pass"


def test_a_claimed_end_that_its_calls_do_not_reach_is_caught(bundle: Bundle) -> None:
    honest, _ = attempt(bundle, bundle.solution.calls)
    idle, turns = attempt(bundle, (), state_digest=honest.state_digest)
    with pytest.raises(InfrastructureError, match="attempt a, the end: recorded was"):
        score(bundle, idle, turns)


@pytest.mark.parametrize(
    "lie",
    [
        {"state_digest": "0" * 64},
        {"observations": (Observation(ok=True, value="all is well"),)},
        {"observations": ()},
    ],
)
def test_a_turn_that_is_not_what_its_calls_give_is_caught(
    bundle: Bundle, lie: dict[str, Any]
) -> None:
    finished, turns = attempt(bundle, bundle.solution.calls)
    turns[1] = turns[1].model_copy(update=lie)
    with pytest.raises(InfrastructureError, match="turn 2: recorded was .* not true"):
        score(bundle, finished, turns)


def test_a_turn_that_is_left_out_is_caught(bundle: Bundle) -> None:
    finished, turns = attempt(bundle, bundle.solution.calls)
    read = ToolCall(name="get_ticket", arguments={"ticket_id": "T-1002"})
    longer, more = attempt(bundle, (*bundle.solution.calls, read))
    assert longer.state_digest == finished.state_digest
    with pytest.raises(InfrastructureError, match="the end"):
        score(bundle, longer, more[:-1])
