"""Turns replayed: what an attempt recorded of each turn, beside what its calls give again."""

from collections.abc import Iterator, Sequence

from envwright.events import encode
from envwright.events.canonical import Json
from envwright.events.values import Observation, Turn
from envwright.sandbox.attempts import Rerun, replay_calls
from envwright.sandbox.packages import Bundle


def rerun_turns(bundle: Bundle, seed: int, turns: Sequence[Turn]) -> Rerun:
    """Execute the calls of recorded turns in a fresh world.

    Raises:
        BadInputError: the package is malformed.
        InfrastructureError: the world itself failed.
    """
    return replay_calls(bundle, seed, [call for turn in turns for call in turn.calls])


def side_by_side(turns: Sequence[Turn], rerun: Rerun) -> Iterator[tuple[Json, Json]]:
    """Yield observations and state of each turn: as it was recorded, and as the rerun has it."""
    state, place = rerun.start, 0
    for turn in turns:
        steps = rerun.steps[place : place + len(turn.calls)]
        place += len(turn.calls)
        state = steps[-1].digest if steps else state
        yield (
            _seen(turn.observations, turn.state_digest),
            _seen([step.observation for step in steps], state),
        )


def same(left: Json, right: Json) -> bool:
    """Say whether two values are one: numbers by value, text verbatim."""
    return encode(left) == encode(right)


def _seen(observations: Sequence[Observation], state: str) -> Json:
    return {"observations": [item.model_dump(mode="json") for item in observations], "state": state}
