"""Norms: what an argument was like whenever a call succeeded."""

from envwright.recipes.toolspace.induction.norms import broken_norms
from envwright.recipes.toolspace.induction.phrasing import phrased_test
from envwright.recipes.toolspace.induction.scopes import open_scope
from envwright.sandbox.worlds import describe
from support.samples import sample

LEVELS = ("low", "high")


def broken(good, bad, name="level", before=None):
    """What is said of calls that went well with some values and were refused with others."""
    calls = [sample(n, before, None, **{name: value}) for n, value in enumerate([*good, *bad])]
    found = broken_norms(open_scope(calls), tuple(n < len(good) for n in range(len(calls))))
    return {describe(phrased_test(test.expr)): test.truths[len(good) :] for test in found}


def test_a_value_beside_the_few_that_always_worked_breaks_a_norm():
    found = broken(LEVELS * 6, ["top", "low", None])
    (truths,) = found.values()
    assert truths == (True, False, False)


def test_few_calls_make_no_norm_of_the_values_that_they_had():
    assert broken(LEVELS * 4, ["top"]) == {}


def test_many_values_are_no_closed_set():
    assert broken([f"name {n}" for n in range(7)] * 6, ["else"]) == {}


def test_a_sign_that_all_values_have_is_a_norm():
    days = [f"2026-09-{n + 10}" for n in range(12)]
    found = broken(days, ["tomorrow", "2026-02-30"], "due")
    assert list(found.values()) == [(True, False)]


def test_a_letter_that_all_values_have_is_chance():
    assert broken([f"e{n}" for n in range(12)], ["x"], "code") == {}


def test_of_few_different_values_no_sign_is_a_norm():
    assert broken(["a-b", "c-d"] * 3, ["x"], "code") == {}


def test_true_is_not_one_of_the_numbers_that_worked():
    found = broken([1, 2] * 6, [True, 1])
    assert list(found.values()) == [(True, False)]


def test_what_rows_were_like_is_no_norm():
    calls = [sample(n, {"state": LEVELS[n % 2]}, None) for n in range(12)]
    calls.append(sample(12, {"state": "top"}, None))
    scope = open_scope(calls)
    assert list(broken_norms(scope, tuple(n < 12 for n in range(13)))) == []
