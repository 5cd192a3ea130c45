"""Claims: each has an end, as far as its run is over."""

import pytest

from envwright.agents.audit import claims as module
from envwright.agents.audit.claims import Claims
from envwright.events import work_id
from envwright.events.catalog import DeliveryParked, RunFailed, WorkClaimed, WorkExpired
from support.audited_events import places


@pytest.fixture(params=[5_000, 0])
def claims(scroll, monkeypatch, request) -> Claims:
    """Claims that are looked up at the end, and at once."""
    monkeypatch.setattr(module, "_PENDING", request.param)
    return Claims(scroll.log)


def claim(cause: str, token: int = 1) -> WorkClaimed:
    work = work_id("g.tester", cause)
    return WorkClaimed(work=work, group="g.tester", cause=cause, token=token, try_number=1)


def test_claims_that_the_inbox_ends_have_no_failure(scroll, claims):
    scroll.write(packages=2)
    scroll.show(claims)
    claims.end()
    assert (claims.check.checked, claims.check.failed, claims.open()) == (2, 0, [])


@pytest.mark.parametrize(
    "end",
    [
        lambda taken: WorkExpired(work=taken.work, token=1),
        lambda taken: DeliveryParked(work=taken.work, group=taken.group, cause=taken.cause,
                                     error="e", failures=4),
    ],
)  # fmt: skip
def test_expiry_and_parking_end_a_claim(scroll, claims, end):
    writer = scroll.writer()
    taken = claim("cause")
    writer.say("system", taken)
    writer.say("system", end(taken))
    writer.say("planner", RunFailed(run="run-1", reason=""))
    writer.commit()
    scroll.show(claims)
    claims.end()
    assert claims.check.failed == 0


def test_a_claim_without_an_end_fails_only_once_its_run_is_over(scroll, claims):
    writer = scroll.writer()
    writer.say("system", claim("cause"))
    writer.commit()
    scroll.show(claims)
    claims.end()
    assert claims.check.failed == 0
    assert [each["position"] for each in claims.open()] == [1]
    writer.say("planner", RunFailed(run="run-1", reason=""))
    writer.commit()
    later = Claims(scroll.log)
    scroll.show(later)
    later.end()
    assert places(later.check.failures) == [1] and later.open() == []


def test_a_takeover_ends_a_claim_and_needs_a_higher_token(scroll, claims):
    writer = scroll.writer()
    writer.say("system", claim("cause", 1))
    writer.say("system", claim("cause", 2))
    writer.say("system", claim("cause", 2))
    writer.commit()
    scroll.show(claims)
    assert places(claims.check.failures) == [3]


def test_work_is_named_after_its_cause(scroll, claims):
    writer = scroll.writer()
    writer.say("system", claim("cause").model_copy(update={"work": "wrk-other"}))
    writer.commit()
    scroll.show(claims)
    assert claims.check.failures[0].expected.startswith(work_id("g.tester", "cause"), 5)
