"""Trails: what led to what inside one trace."""

import pytest

from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.mining.trails import follow_trails
from support.tool_logs import failed, history, ok, trace


def steps(*calls, said="", effects=None, domains=None):
    found = history(trace(1, *calls, said=said))
    (trail,) = follow_trails(found, effects or {}, domains or {}, {})
    return {(step.kind, step.source, step.target) for step in trail.steps}


GIVE, TAKE = ok("give", {"ref": "abc-123"}), ok("take", "ok", ref="abc-123")
DATA = {("data", "ns.give", "ns.take")}


def test_a_value_leads_from_its_producer_to_its_user():
    assert steps(GIVE, TAKE) == DATA


def test_only_the_earliest_producer_is_credited():
    assert steps(GIVE, ok("again", ["abc-123"], n=1), TAKE) == DATA


def test_a_value_that_was_used_before_anything_gave_it_leads_nowhere():
    assert steps(TAKE, GIVE, ok("take", "ok", ref="abc-123", twice=True)) == set()


@pytest.mark.parametrize("number", [12345, 1.5])
def test_numbers_count_only_where_their_name_says_so(number):
    named = steps(ok("give", {"order_id": 12345}), ok("take", "ok", order_id=12345))
    assert named == DATA
    assert steps(ok("give", {"total": number}), ok("take", "ok", sum=number)) == set()


@pytest.mark.parametrize(
    ("other", "paths"),
    [
        ({"order": "o1", "card": "b"}, [(("card",),)]),
        ({"order": "o2", "card": "b"}, []),
        ({"order": "o1", "card": "a"}, []),
    ],
)
def test_a_retry_keeps_half_of_the_arguments_and_changes_some(other, paths):
    found = history(trace(1, failed("pay", "no", order="o1", card="a"), ok("pay", "ok", **other)))
    (trail,) = follow_trails(found, {}, {}, {})
    assert [step.changed_paths for step in trail.steps if step.kind == "retry"] == paths


def test_a_transient_failure_is_retried_with_equal_arguments():
    timeout = Call("ns.pay", {"order": "o1"}, False, "timeout", transient=True)
    found = history(trace(1, timeout, ok("pay", "ok", order="o1")))
    (trail,) = follow_trails(found, {}, {}, {})
    assert [step.error_class for step in trail.steps] == ["transient"]
