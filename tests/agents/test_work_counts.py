"""Counts of a process's work: what began, how it ended, what runs."""

import pytest

from envwright.agents.work_counts import WorkCounts


def test_claims_their_ends_and_what_runs_are_counted_by_role() -> None:
    counts = WorkCounts()
    with counts.working("judge") as first:
        first.outcome = "handled"
        with counts.working("judge") as second:
            second.outcome = "retried"
            assert counts.tallied().in_flight == {"judge": 2}
    found = counts.tallied()
    assert found.claims == {"judge": 2} and found.in_flight == {"judge": 0}
    assert found.outcomes == {("judge", "handled"): 1, ("judge", "retried"): 1}
    assert found.seconds["judge"] >= 0


def test_what_fails_before_it_says_how_it_ends_is_broken() -> None:
    counts = WorkCounts()
    with pytest.raises(ZeroDivisionError), counts.working("solver"):
        raise ZeroDivisionError
    found = counts.tallied()
    assert found.outcomes == {("solver", "broken"): 1} and found.in_flight == {"solver": 0}
