"""Arithmetic: numbers from sums, lists walked together, other rows, signs and rounding."""

from envwright.recipes.toolspace.induction.fitting import Target, fit
from envwright.recipes.toolspace.induction.learning import known_rows
from envwright.sandbox.worlds import FieldOf, RoundTo, SumOf, describe
from support.samples import sample, table


def price(kind, n):
    return round(7.1 * kind + 3.3 * n + 0.05, 2)


GOODS = {
    f"g{kind}": {
        "good_id": f"g{kind}",
        "kinds": {
            f"k{kind}-{n}": {"price": round(7.1 * kind + 3.3 * n + 0.05, 2)} for n in range(4)
        },
    }
    for kind in range(3)
}


def exchanges(result, count=9):
    """Orders of one or two goods, of which all are exchanged for other kinds."""
    known = known_rows({"goods": table(GOODS, "good_id", "goods")})
    targets = []
    for n in range(count):
        goods = [f"g{(n + k) % 3}" for k in range(1 + n % 2)]
        old = [f"k{good[1]}-{n % 3}" for good in goods]
        new = [f"k{good[1]}-{(n + 1) % 4}" for good in goods]
        lines = [
            {"line": kind, "good_id": good, "price": round(5.05 + n + k, 2)}
            for k, (good, kind) in enumerate(zip(goods, old, strict=True))
        ]
        one = sample(n, {"lines": lines}, None, old=old, new=new)
        prices = [
            GOODS[good]["kinds"][kind]["price"] for good, kind in zip(goods, new, strict=True)
        ]
        difference = 0
        for price, line in zip(prices, lines, strict=True):
            difference += price - line["price"]
        targets.append(Target(one, result(difference)))
    return fit(targets, "difference", knowledge=known)


def test_a_difference_is_summed_over_two_lists_and_the_rows_that_they_lead_to():
    found = exchanges(lambda difference: difference)
    assert isinstance(found, SumOf)
    assert "goods[" in describe(found)


def test_a_rounded_difference_is_told_from_a_raw_one():
    assert isinstance(exchanges(lambda difference: round(difference, 2)), RoundTo)


def test_a_sign_may_choose_between_two_words():
    found = exchanges(lambda difference: "payment" if difference > 0 else "refund")
    assert found.op == "if"


def test_the_only_payment_is_not_taken_for_the_sum_of_payments_by_name():
    targets = [
        Target(sample(n, {"paid": [{"amount": 3.5 * n}]}, None), -3.5 * n if n else 0)
        for n in range(1, 6)
    ]
    found = fit(targets, "refund")
    assert found.op == "negate"
    assert isinstance(found.of, FieldOf | SumOf)


def test_a_fixed_rate_is_found():
    targets = [Target(sample(n, {"bags": n}, None), 50 * n) for n in range(1, 7)]
    assert describe(fit(targets, "fee")) == "(bags × 50)"


def test_a_counter_goes_up_by_a_fixed_number():
    held = [sample(n, {"renewals": n % 3}, None) for n in range(1, 9)]
    targets = [Target(one, one.before["renewals"] + 1) for one in held]
    assert describe(fit(targets, "renewals")) == "(renewals + 1)"


def test_the_number_of_a_new_item_is_one_more_than_there_are():
    held = [sample(n, {"notes": [{"text": "x"}] * n}, None) for n in range(1, 6)]
    targets = [Target(one, {"number": len(one.before["notes"]) + 1}) for one in held]
    assert describe(fit(targets, "")) == "{number: (length(notes) + 1)}"


def test_numbers_that_nothing_gives_have_no_expression():
    targets = [Target(sample(n, {"a": n, "b": 3 * n}, None), n**3 + 0.25) for n in range(1, 9)]
    assert fit(targets, "c") is None
