"""Domain values are frozen and closed, and keep their defaults."""

from functools import cached_property

import pytest
from pydantic import ValidationError

from envwright.events.values import ArtifactRef, RunSettings, ToolCall, Value, artifact_json


def test_a_round_has_twice_the_count_unless_slots_are_set():
    assert RunSettings(recipe="toolspace", count=5).round_size == 10
    assert RunSettings(recipe="toolspace", count=5, slots=3).round_size == 3


def test_the_defaults_of_a_run_are_the_plans():
    settings = RunSettings(recipe="toolspace", count=1)
    assert (settings.max_rounds, settings.max_repairs) == (10, 3)
    assert (settings.attempts, settings.max_turns, settings.max_retries) == (4, 30, 3)
    assert not settings.allow_short


@pytest.mark.parametrize("wrong", [{"count": 0}, {"attempts": 0}, {"max_rounds": 0}, {"pace": 1}])
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(ValidationError):
        RunSettings(**{"recipe": "toolspace", "count": 1, **wrong})


def test_a_value_is_frozen_and_closed():
    ref = ArtifactRef(digest="0" * 64, size=1)
    with pytest.raises(ValidationError, match="frozen"):
        ref.size = 2
    with pytest.raises(ValidationError, match="Extra inputs"):
        ArtifactRef(digest="0" * 64, size=1, colour="red")


def test_a_copy_computes_anew_what_was_cached():
    class Pair(Value):
        left: int
        right: int

        @cached_property
        def total(self) -> int:
            return self.left + self.right

    pair = Pair(left=1, right=2)
    assert pair.total == 3
    assert pair.model_copy(update={"right": 5}).total == 6


def test_a_value_becomes_plain_json():
    call = ToolCall(name="get", arguments={"id": 1})
    assert artifact_json(call) == {"name": "get", "arguments": {"id": 1}}
    assert artifact_json({"plain": True}) == {"plain": True}
