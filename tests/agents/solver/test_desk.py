"""An attempt: what the policy is given, what is recorded of it, and how it ends."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from envwright.agents.solver import desk as solving
from envwright.agents.solver.policies import Action
from envwright.events import Fact, digest
from envwright.events.catalog import (
    AttemptFinished,
    AttemptRequested,
    AttemptStarted,
    PackageDrafted,
    TurnTaken,
)
from envwright.events.values import Observation, TaskView, ToolCall
from envwright.sandbox.attempts import replay_calls, task_view
from envwright.sandbox.packages import Bundle
from support.office import Office

LOOK = ToolCall(name="get_ticket", arguments={"ticket_id": "T-1002"})
CLOSE = ToolCall(name="close_ticket", arguments={"ticket_id": "T-1002", "outcome": "repaired"})


class Scripted:
    """A policy that acts as it is told, and notes what it is shown."""

    def __init__(self, *actions: Action) -> None:
        self.actions = list(actions)
        self.views: list[TaskView] = []
        self.seen: list[tuple[Observation, ...]] = []

    def start(self, view: TaskView, seed: int) -> "Scripted":
        self.views.append(view)
        return self

    def act(self, observations: tuple[Observation, ...]) -> Action:
        self.seen.append(observations)
        return self.actions.pop(0) if len(self.actions) > 1 else self.actions[0]


Solve = Callable[..., tuple[Scripted, Sequence[Fact]]]


@pytest.fixture
def solve(office: Office, monkeypatch: pytest.MonkeyPatch) -> Solve:
    """Let a scripted policy attempt a package."""

    def solved(*actions: Action, **settings: Any) -> tuple[Scripted, Sequence[Fact]]:
        cause = office.advance(office.request(**settings), "attempt.requested")
        policy = Scripted(*actions)
        monkeypatch.setattr(solving, "get_policy", lambda *_: policy)
        ctx = office.handle(cause)
        assert [event.type for event in office.events("attempt.started")] == ["attempt.started"]
        return policy, ctx.said()

    return solved


def bundle_of(office: Office) -> Bundle:
    [drafted] = office.facts(PackageDrafted)
    return Bundle.load(office.runtime.artifacts, drafted.bundle)


def test_an_attempt_records_its_turns_and_its_end(office: Office, solve: Solve) -> None:
    policy, said = solve(
        Action(calls=(LOOK,), thought="look first"),
        Action(calls=(CLOSE,), answer=None),
        Action(calls=(), answer="done"),
    )
    first, second, finished = said
    assert isinstance(first, TurnTaken) and isinstance(second, TurnTaken)
    assert (first.turn.index, first.turn.calls, first.turn.thought) == (1, (LOOK,), "look first")
    assert second.turn.observations[0].ok
    assert isinstance(finished, AttemptFinished)
    assert (finished.outcome, finished.answer, finished.turns) == ("answer", "done", 2)
    [order] = office.facts(AttemptRequested)
    rerun = replay_calls(bundle_of(office), order.seed, [LOOK, CLOSE])
    assert (first.turn.state_digest, second.turn.state_digest) == rerun.digests
    assert finished.state_digest == rerun.end != rerun.start
    assert policy.seen == [(), first.turn.observations, second.turn.observations]


def test_the_start_is_recorded_at_once_with_the_task_that_was_given(
    office: Office, solve: Solve
) -> None:
    policy, _ = solve(Action(calls=(), answer=""))
    [started] = office.facts(AttemptStarted)
    [order] = office.facts(AttemptRequested)
    assert policy.views == [task_view(bundle_of(office))]
    assert started.task_digest == digest(policy.views[0].model_dump(mode="json"))
    assert (started.policy, started.seed) == (order.policy, order.seed)


def test_an_answer_with_calls_takes_its_turn_first(solve: Solve) -> None:
    _, (turn, finished) = solve(Action(calls=(CLOSE,), answer="closed"))
    assert isinstance(turn, TurnTaken) and isinstance(finished, AttemptFinished)
    assert (finished.turns, finished.answer) == (1, "closed")


def test_an_empty_answer_alone_takes_no_turn(solve: Solve) -> None:
    _, [finished] = solve(Action(calls=(), answer=""))
    assert isinstance(finished, AttemptFinished)
    assert (finished.outcome, finished.turns, finished.answer) == ("answer", 0, "")


def test_a_policy_that_never_answers_is_stopped_at_the_last_turn(solve: Solve) -> None:
    _, [*turns, finished] = solve(Action(calls=(LOOK,)), max_turns=3)
    assert len(turns) == 3
    assert isinstance(finished, AttemptFinished)
    assert (finished.outcome, finished.answer, finished.turns) == ("max_turns", "", 3)


def test_a_policy_that_does_nothing_uses_up_its_turns_too(solve: Solve) -> None:
    _, [*turns, finished] = solve(Action(calls=()), max_turns=2)
    assert [turn.turn.calls for turn in turns if isinstance(turn, TurnTaken)] == [(), ()]
    assert isinstance(finished, AttemptFinished) and finished.outcome == "max_turns"


def test_a_turn_has_a_bounded_number_of_calls(solve: Solve) -> None:
    policy, (turn, _) = solve(Action(calls=(LOOK,) * 40), Action(calls=(), answer=""))
    assert isinstance(turn, TurnTaken)
    assert len(turn.turn.calls) == len(turn.turn.observations) == 16
    assert len(policy.seen[1]) == 16


def test_a_tool_that_refuses_is_an_observation_like_any_other(solve: Solve) -> None:
    missing = ToolCall(name="get_ticket", arguments={"ticket_id": "T-0"})
    _, (turn, _) = solve(Action(calls=(missing,)), Action(calls=(), answer=""))
    assert isinstance(turn, TurnTaken)
    [seen] = turn.turn.observations
    assert (seen.ok, seen.value) == (False, "Error: no such ticket")
