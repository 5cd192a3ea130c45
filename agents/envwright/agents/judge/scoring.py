"""Scoring: the Judge replays an attempt's recorded calls in a fresh world and verifies the end."""

from envwright.agents.replay.turns import rerun_turns, same, side_by_side
from envwright.events.catalog import AttemptFinished
from envwright.events.errors import InfrastructureError
from envwright.events.values import RewardComponent, Turn, Verdict
from envwright.sandbox.attempts import Rerun
from envwright.sandbox.packages import Bundle
from envwright.sandbox.verifiers import verify

_EVIDENCE = 500
"""Characters of what was found that a component keeps."""


def score(bundle: Bundle, finished: AttemptFinished, turns: list[Turn]) -> Verdict:
    """Return the verdict on a finished attempt, from its recorded calls alone.

    Nothing that the Solver claims counts: the final state is made again here.

    Raises:
        InfrastructureError: the replay gives other observations or states than were recorded.
    """
    rerun = rerun_turns(bundle, finished.seed, turns)
    _check(finished, turns, rerun)
    verification = verify(bundle.assertions, rerun.initial, rerun.final, finished.answer)
    components = tuple(
        RewardComponent(
            name=item.id,
            value=1.0 if item.passed else 0.0,
            weight=1.0,
            evidence=item.found[:_EVIDENCE],
        )
        for item in verification.items
    )
    return Verdict(
        outcome="pass" if verification.passed else "fail",
        reward=1.0 if verification.passed else 0.0,
        components=components,
    )


def _check(finished: AttemptFinished, turns: list[Turn], rerun: Rerun) -> None:
    """Raise where what the attempt recorded of itself does not come out again."""
    for turn, (recorded, again) in zip(turns, side_by_side(turns, rerun), strict=True):
        if not same(recorded, again):
            raise _untrue(finished, f"turn {turn.index}", recorded, again)
    if (len(turns), rerun.end) != (finished.turns, finished.state_digest):
        recorded = {"turns": finished.turns, "state": finished.state_digest}
        raise _untrue(finished, "the end", recorded, {"turns": len(turns), "state": rerun.end})


def _untrue(
    finished: AttemptFinished, where: str, recorded: object, again: object
) -> InfrastructureError:
    return InfrastructureError(
        f"attempt {finished.attempt}, {where}: recorded was {recorded!r:.300}, its calls give "
        f"{again!r:.300}; the world is not deterministic or the record is not true"
    )
