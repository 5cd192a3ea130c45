"""Recorded turns beside what their calls give again."""

import pytest

from envwright.agents.replay.turns import rerun_turns, same, side_by_side
from envwright.events.values import Observation, Turn
from envwright.sandbox.packages import Bundle
from support.packages import desk_bundle


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return desk_bundle()


def test_each_turn_stands_beside_its_own_part_of_the_rerun(bundle: Bundle) -> None:
    find, close, file = bundle.solution.calls
    turns = [
        Turn(index=1, calls=(find, close), observations=()),
        Turn(index=2, calls=(), observations=()),
        Turn(index=3, calls=(file,), observations=()),
    ]
    rerun = rerun_turns(bundle, 0, turns)
    states = [again["state"] for _, again in side_by_side(turns, rerun)]
    assert states == [rerun.digests[1], rerun.digests[1], rerun.end]
    seen = [len(again["observations"]) for _, again in side_by_side(turns, rerun)]
    assert seen == [2, 0, 1]


def test_a_first_turn_without_calls_is_at_the_first_state(bundle: Bundle) -> None:
    turns = [Turn(index=1, calls=(), observations=())]
    rerun = rerun_turns(bundle, 0, turns)
    [(_, again)] = side_by_side(turns, rerun)
    assert again == {"observations": [], "state": rerun.start}


def test_the_record_is_returned_as_it_is(bundle: Bundle) -> None:
    seen = Observation(ok=False, value="no")
    turns = [Turn(index=1, calls=(), observations=(seen,), state_digest="d")]
    [(recorded, _)] = side_by_side(turns, rerun_turns(bundle, 0, turns))
    assert recorded == {"observations": [{"ok": False, "value": "no"}], "state": "d"}


def test_numbers_are_compared_by_value_and_text_verbatim() -> None:
    assert same({"a": 25.0, "b": [1]}, {"b": (1,), "a": 25})
    assert not same("e\u0301", "\u00e9")
    assert not same(True, 1)
