"""Fitting: the simplest expression that gives what was observed."""

import pytest

from envwright.recipes.toolspace.induction.fitting import Target, fit
from envwright.sandbox.worlds import (
    Argument,
    Const,
    FieldOf,
    KeyOf,
    ListOf,
    ObjectOf,
    RowAfter,
    SortedOf,
)
from support.samples import sample


def targets(value, before=lambda n: {}, count=6, after=lambda n: None, **given):
    return [
        Target(
            sample(n, before(n), after(n), **{name: make(n) for name, make in given.items()}),
            value(n),
        )
        for n in range(count)
    ]


def test_an_argument_is_copied():
    found = fit(targets(lambda n: f"v{n}", reason=lambda n: f"v{n}"), "reason")
    assert found == Argument(path=("reason",))


def test_a_nested_argument_is_copied():
    found = fit(targets(lambda n: n, where=lambda n: {"at": [0, n]}), "place")
    assert found == Argument(path=("where", "at", 1))


def test_a_field_is_copied():
    found = fit(targets(lambda n: n * 1.5, before=lambda n: {"paid": [{"sum": n * 1.5}]}), "refund")
    assert found == FieldOf(path=("paid", 0, "sum"))


def test_a_value_that_never_changes_is_a_constant():
    assert fit(targets(lambda n: "closed"), "status") == Const(value="closed")


def test_an_argument_of_the_same_name_is_better_than_a_constant():
    found = fit(targets(lambda n: "USA", country=lambda n: "USA"), "country")
    assert found == Argument(path=("country",))


def test_a_constant_is_better_than_an_argument_of_another_name():
    found = fit(targets(lambda n: "USA", nation=lambda n: "USA"), "country")
    assert found == Const(value="USA")


def test_an_argument_of_the_same_name_is_better_than_another():
    found = fit(targets(lambda n: n, amount=lambda n: n, count=6, other=lambda n: n), "amount")
    assert found == Argument(path=("amount",))


def test_a_sorted_argument_is_found():
    found = fit(
        targets(lambda n: [f"a{n}", f"b{n}"], items=lambda n: [f"b{n}", f"a{n}"]), "sold_items"
    )
    assert found == SortedOf(of=Argument(path=("items",)))


def test_a_list_that_happens_to_be_sorted_is_copied_as_it_is():
    found = fit(targets(lambda n: [f"a{n}"], items=lambda n: [f"a{n}"]), "items")
    assert found == Argument(path=("items",))


def test_an_object_is_fitted_part_by_part():
    found = fit(
        targets(
            lambda n: {"kind": "refund", "sum": n, "to": f"c{n}"},
            before=lambda n: {"sum": n},
            card=lambda n: f"c{n}",
        ),
        "history",
    )
    assert found == ObjectOf(
        fields={
            "kind": Const(value="refund"),
            "sum": FieldOf(path=("sum",)),
            "to": Argument(path=("card",)),
        }
    )


def test_a_list_of_a_fixed_length_is_fitted_item_by_item():
    found = fit(targets(lambda n: [n, "x"], size=lambda n: n), "pair")
    assert found == ListOf(items=(Argument(path=("size",)), Const(value="x")))


def test_the_key_is_found():
    assert fit(targets(lambda n: f"o{n}", before=lambda n: {}, count=6)[:0], "") is None
    found = fit([Target(t.sample, t.sample.key) for t in targets(lambda n: 0)], "", returns=True)
    assert found in (KeyOf(), Argument(path=("order_id",)))


def test_the_row_after_is_a_result_and_never_a_written_value():
    rows = [
        Target(t.sample, t.sample.after) for t in targets(lambda n: 0, after=lambda n: {"n": n})
    ]
    assert fit(rows, "", returns=True) == RowAfter()
    assert fit(rows, "") is None


@pytest.mark.parametrize("value", [lambda n: n * n + 1, lambda n: f"made up {n}"])
def test_what_nothing_gives_has_no_expression(value):
    assert fit(targets(value, size=lambda n: n), "total") is None


def test_one_odd_sample_is_not_explained_away():
    odd = targets(lambda n: "odd" if n == 3 else f"v{n}", reason=lambda n: f"v{n}", count=40)
    assert fit(odd, "reason") is None


def test_true_is_not_one():
    found = fit(targets(lambda n: n % 2 == 0, flag=lambda n: int(n % 2 == 0)), "flag")
    assert found != Argument(path=("flag",))
