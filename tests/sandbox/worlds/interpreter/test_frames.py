"""Tests of the transaction of a call: what it reads, counts and stages, and the work it may do."""

import pytest

from envwright.sandbox.worlds import Refusal
from support.situations import transaction


def test_rows_that_are_read_are_noted_once_and_in_order():
    call = transaction()
    for table, key in [("users", "ada"), ("orders", "#1"), ("users", "ada"), ("users", "no")]:
        call.row(table, key)
    assert list(call.reads) == [("users", "ada"), ("orders", "#1")]


def test_rows_that_match_are_noted_and_others_cost_work():
    call = transaction()
    found = call.matching("orders", ((("total",), 25), (("user",), "ada")))
    assert [key for key, _ in found] == ["#1"]
    assert list(call.reads) == [("orders", "#1")]
    everything = transaction()
    everything.matching("orders", ())
    assert everything.left == everything.limits.work - 3


def test_a_value_that_rows_must_have_costs_its_size():
    call = transaction()
    assert call.matching("orders", ((("items",), [1] * 50),)) == []
    assert call.left == call.limits.work - 51


def test_what_is_staged_is_seen_by_what_comes_after_and_not_by_reads():
    call = transaction()
    call.stage("orders", "#1", {"total": 1})
    assert call.now("orders", "#1") == {"total": 1}
    assert call.row("orders", "#1")["total"] == 25
    call.stage("orders", "#1", None)
    assert call.now("orders", "#1") is None


def test_a_row_that_comes_and_goes_in_one_call_leaves_nothing():
    call = transaction()
    call.stage("orders", "#9", {"total": 1})
    call.stage("orders", "#9", None)
    assert call.staged == {}
    assert call.now("orders", "#9") is None


def test_ordinals_go_on_from_the_counters_of_the_world():
    call = transaction(counters={"c": 41})
    assert [call.ordinal("c"), call.ordinal("c"), call.ordinal("d")] == [42, 42, 1]
    assert call.numbers == {"c": 42, "d": 1}


def test_work_past_the_limit_is_refused():
    call = transaction(limits={"work": 10})
    call.spend(10)
    call.spend_on_text("short")
    with pytest.raises(Refusal, match="Error: the call takes more than 10 steps"):
        call.spend(1)
