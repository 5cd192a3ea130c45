"""Tests of clock, counters and limits."""

import pytest
from pydantic import ValidationError

from envwright.sandbox.worlds import Limits
from envwright.sandbox.worlds.circumstances import Circumstances, WorldFile

CLOCK = "2024-01-01T00:00:00Z"


def test_limits_are_no_part_of_the_state():
    read = WorldFile.model_validate({"clock": CLOCK, "counters": {"c": 1}, "limits": {"text": 9}})
    assert read.limits == Limits(text=9)
    assert read.circumstances() == Circumstances(clock=CLOCK, counters={"c": 1})
    assert read.circumstances().model_dump() == {"clock": CLOCK, "counters": {"c": 1}}


def test_a_world_that_says_nothing_has_the_usual_limits():
    assert WorldFile(clock=CLOCK).limits == Limits(text=262_144, work=1_000_000)


@pytest.mark.parametrize(
    "limits", [{"text": 0}, {"text": 2**25}, {"work": 0}, {"work": 10**9}, {"time": 1}]
)
def test_limits_have_limits(limits):
    with pytest.raises(ValidationError):
        WorldFile.model_validate({"clock": CLOCK, "limits": limits})
