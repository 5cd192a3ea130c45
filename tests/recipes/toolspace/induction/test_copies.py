"""Copies: of the values that stand somewhere already, the one that claims least is taken."""

import pytest

from envwright.recipes.toolspace.induction.copies import copied, holds
from envwright.recipes.toolspace.induction.learning import known_rows
from envwright.recipes.toolspace.induction.phrasing import phrased
from envwright.recipes.toolspace.induction.roots import UNKNOWN
from envwright.recipes.toolspace.induction.scopes import open_scope
from envwright.recipes.toolspace.values import ABSENT
from envwright.sandbox.worlds import describe
from support.samples import sample, table


def copy(samples, targets, name, knowledge=None):
    scope = knowledge.scope(samples) if knowledge else open_scope(samples)
    found = copied(scope, tuple(targets), name)
    return describe(phrased(found.expr)) if found else None


@pytest.mark.parametrize(
    ("given", "name", "chosen"),
    [
        ({"country": "USA"}, "country", "$country"),
        ({"word": "USA"}, "country", '"USA"'),
    ],
)
def test_an_argument_of_the_name_is_better_than_a_constant_and_a_constant_than_another(
    given, name, chosen
):
    assert copy([sample(n, {}, None, **given) for n in range(5)], ["USA"] * 5, name) == chosen


def test_an_odd_first_call_does_not_hide_where_a_value_comes_from():
    samples = [sample(n, {"kind": f"k{n or 7}"}, None, other=f"k{n or 7}") for n in range(6)]
    samples[0].arguments["other"] = "elsewhere"
    assert copy(samples, [f"k{n or 7}" for n in range(6)], "kept") == "kind"


def test_an_id_in_two_tables_leads_to_the_one_that_holds_the_value():
    ids = [f"i{n}" for n in range(6)]
    paid = {key: {"item_id": key, "price": n + 0.5} for n, key in enumerate(ids)}
    now = {key: {"item_id": key, "price": 2 * n + 0.5} for n, key in enumerate(ids)}
    tables = {"paid": table(paid, "item_id", "paid"), "now": table(now, "item_id", "now")}
    samples = [sample(n, {"of": key}, None) for n, key in enumerate(ids)]
    for name, rows in (("paid", paid), ("now", now)):
        # The first call alone does not tell them apart: both prices are the same there.
        prices = [rows[key]["price"] for key in ids]
        assert copy(samples, prices, "price", known_rows(tables)) == f"{name}[of].price"


def test_texts_may_be_sorted_and_other_values_may_not():
    def given(*items):
        return [sample(n, {}, None, items=[*items, *items[:n]]) for n in range(3)]

    words, amounts = given("b", "a"), given(2, 1)
    assert copy(words, [sorted(s.arguments["items"]) for s in words], "kept") == "sorted($items)"
    assert copy(amounts, [sorted(s.arguments["items"]) for s in amounts], "kept") is None


def test_what_is_unknown_contradicts_nothing_but_must_be_the_lesser_part():
    assert holds((1, UNKNOWN, 3, UNKNOWN), (1, 2, 3, 4))
    assert not holds((1, UNKNOWN, UNKNOWN), (1, 2, 3))
    assert not holds((1, ABSENT, 3), (1, 2, 3))
    assert not holds((True, True), (1, 1))
