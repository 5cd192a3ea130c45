"""Scoring: the Judge replays an attempt's recorded calls in a fresh world and verifies the end."""

from envwright.events.catalog import AttemptFinished
from envwright.events.errors import InfrastructureError
from envwright.events.values import RewardComponent, Turn, Verdict
from envwright.sandbox.attempts import replay_calls
from envwright.sandbox.packages import Bundle
from envwright.sandbox.verifiers import verify


def score(bundle: Bundle, finished: AttemptFinished, turns: list[Turn]) -> Verdict:
    """Return the verdict on a finished attempt, from its recorded calls alone.

    Nothing that the Solver claims counts: the final state is made again here.

    Raises:
        InfrastructureError: the replayed state is not the one that the attempt recorded.
    """
    calls = [call for turn in turns for call in turn.calls]
    replayed = replay_calls(bundle, finished.seed, calls)
    if replayed.end != finished.state_digest:
        raise InfrastructureError(
            f"attempt {finished.attempt}: replaying its calls gives state "
            f"{replayed.end}, recorded was {finished.state_digest}; the world is not "
            "deterministic"
        )
    verification = verify(bundle.assertions, replayed.initial, replayed.final, finished.answer)
    components = tuple(
        RewardComponent(
            name=item.id,
            value=1.0 if item.passed else 0.0,
            weight=1.0,
            evidence=item.found[:500],
        )
        for item in verification.items
    )
    return Verdict(
        outcome="pass" if verification.passed else "fail",
        reward=1.0 if verification.passed else 0.0,
        components=components,
    )
