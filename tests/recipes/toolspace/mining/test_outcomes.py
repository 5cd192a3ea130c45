"""Outcomes: results that say themselves whether a call did what was asked."""

import json

import pytest

from envwright.recipes.toolspace.mining.outcomes import told_apart
from support.tool_logs import failed, ok, trace

DONE = ok("close", {"ok": True, "order": {"id": 1}}, order_id="o1")
NOT_DONE = ok("close", {"ok": False, "error": "closed", "why": "schon zu — heute"}, order_id="o2")


def outcomes(*calls):
    (found,) = told_apart([trace(0, *calls)])
    return [call.ok for call in found.calls]


def test_a_result_that_says_that_it_failed_is_a_failure_and_keeps_all_that_it_said():
    (found,) = told_apart([trace(0, DONE, NOT_DONE)])
    good, bad = found.calls
    assert good == DONE
    assert not bad.ok
    assert json.loads(bad.value) == NOT_DONE.value
    assert "schon zu — heute" in bad.value


@pytest.mark.parametrize(
    ("name", "bad"), [("success", False), ("succeeded", False), ("failed", True)]
)
def test_every_such_field_is_known(name, bad):
    assert outcomes(ok("a", {name: bad}), ok("b", {name: not bad})) == [False, True]


def test_a_field_that_a_service_shows_one_way_only_tells_nothing():
    assert outcomes(ok("is_open", {"ok": False})) == [True]
    assert outcomes(ok("is_open", {"ok": False}), failed("is_open", "busy")) == [True, False]


def test_what_another_service_shows_does_not_count():
    other = DONE.__class__("shop.close", {}, True, {"ok": True})
    assert outcomes(other, ok("is_open", {"ok": False})) == [True, True]


def test_a_word_or_a_number_is_no_outcome():
    assert outcomes(ok("a", {"ok": "no"}), ok("a", {"ok": 0}), ok("a", {"ok": True})) == [True] * 3
