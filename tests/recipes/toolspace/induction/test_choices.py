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


def test_the_row_decides_nothing_where_nothing_tells_the_values_apart():
    targets = [Target(sample(n, {"plan": "a"}, None), "xy"[n % 2]) for n in range(8)]
    assert fit(targets, "kept") is None
