"""Texts: templates with holes for what a call could see."""

from envwright.recipes.toolspace.induction.fitting import Target, fit
from envwright.sandbox.worlds import describe
from support.samples import sample


def test_a_text_with_what_was_given_is_a_template():
    targets = [
        Target(sample(n, {"who": f"Ann {n}"}, None, amount=25 * n), f"{25 * n} EUR for Ann {n}.")
        for n in range(1, 7)
    ]
    found = fit(targets, "")
    assert found.op == "text"
    assert "$amount" in describe(found)


def test_texts_that_share_nothing_with_the_call_have_no_template():
    targets = [Target(sample(n, {}, None, amount=n), f"code {n * 31 + 7}") for n in range(1, 7)]
    assert fit(targets, "") is None
