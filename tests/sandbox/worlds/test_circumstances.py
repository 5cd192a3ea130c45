"""Tests of clock, counters and limits."""

import pytest
from pydantic import ValidationError

from envwright.sandbox.worlds import Limits
from envwright.sandbox.worlds.circumstances import Circumstances, Fault, WorldFile

CLOCK = "2024-01-01T00:00:00Z"


def test_limits_are_no_part_of_the_state():
    read = WorldFile.model_validate({"clock": CLOCK, "counters": {"c": 1}, "limits": {"text": 9}})
    assert read.limits == Limits(text=9)
    assert read.circumstances() == Circumstances(clock=CLOCK, counters={"c": 1})
    assert read.circumstances().model_dump() == {"clock": CLOCK, "counters": {"c": 1}}


def test_a_fault_lets_some_calls_pass_and_is_gone_when_it_has_struck():
    fault = Fault(after=1, times=2, error="Error: 503")
    seen = []
    while fault is not None:
        error, fault = fault.struck()
        seen.append(error)
    assert seen == [None, "Error: 503", "Error: 503"]


def test_faults_are_part_of_the_state_where_there_are_any():
    faults = {"t": {"after": 0, "times": 1, "error": "Error: 503"}}
    read = WorldFile.model_validate({"clock": CLOCK, "faults": faults}).circumstances()
    assert read.model_dump() == {"clock": CLOCK, "counters": {}, "faults": faults}


@pytest.mark.parametrize("fault", [{"error": ""}, {"error": "e", "times": 0}, {"after": 1}])
def test_a_fault_that_says_nothing_is_refused(fault):
    with pytest.raises(ValidationError):
        WorldFile.model_validate({"clock": CLOCK, "faults": {"t": fault}})


def test_a_world_that_says_nothing_has_the_usual_limits():
    assert WorldFile(clock=CLOCK).limits == Limits(text=262_144, work=1_000_000)


@pytest.mark.parametrize(
    "limits", [{"text": 0}, {"text": 2**25}, {"work": 0}, {"work": 10**9}, {"time": 1}]
)
def test_limits_have_limits(limits):
    with pytest.raises(ValidationError):
        WorldFile.model_validate({"clock": CLOCK, "limits": limits})
