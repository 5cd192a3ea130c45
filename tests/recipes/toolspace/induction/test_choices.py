"""Choices: two ways to a value, and what tells which of them is taken."""

from envwright.recipes.toolspace.induction.fitting import Target, fit
from envwright.sandbox.worlds import describe
from support.samples import sample


def test_a_category_decides_between_a_field_and_an_argument():
    targets = [
        Target(
            sample(n, {"plan": "ab"[n % 2], "old": f"x{n}"}, None, new=f"y{n}"),
            f"x{n}" if n % 2 else f"y{n}",
        )
        for n in range(8)
    ]
    words = describe(fit(targets, "kept"))
    assert "plan ==" in words
    assert "$new" in words


def test_a_branch_that_one_task_shows_is_not_learnt():
    targets = [
        Target(sample(n, {"plan": "a" if n else "b"}, None), "late" if n else "early")
        for n in range(8)
    ]
    assert fit(targets, "kept") is None


def test_an_argument_that_is_left_out_keeps_what_is_there_even_if_that_is_null():
    targets = []
    for n in range(12):
        old = None if n % 3 == 0 else f"x{n}"
        given = {"note": f"y{n}"} if n % 2 else {}
        one = sample(n, {"note": old}, None, **given)
        targets.append(Target(one, given.get("note", old)))
    assert describe(fit(targets, "note")) == "(note if $note == null else $note)"


def test_a_field_that_is_always_empty_before_takes_what_is_given_and_stays_empty_otherwise():
    targets = []
    for n in range(12):
        given = {"note": f"a note {n}"} if n % 3 == 0 else {}
        targets.append(Target(sample(n, {"note": None}, None, **given), given.get("note")))
    assert describe(fit(targets, "note")) == "(null if $note == null else $note)"


def test_the_row_decides_nothing_where_nothing_tells_the_values_apart():
    targets = [Target(sample(n, {"plan": "a"}, None), "xy"[n % 2]) for n in range(8)]
    assert fit(targets, "kept") is None
