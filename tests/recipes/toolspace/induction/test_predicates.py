"""Predicates: the simplest one that tells some calls from others, or none where it is a guess."""

from envwright.recipes.toolspace.induction.learning import known_rows
from envwright.recipes.toolspace.induction.phrasing import phrased_test
from envwright.recipes.toolspace.induction.predicates import MOST_TIES, fitting, telling
from envwright.recipes.toolspace.induction.scopes import open_scope
from envwright.sandbox.worlds import describe
from support.samples import sample, table

ODD = tuple(n % 2 == 1 for n in range(6))


def flags(count):
    """Six calls on rows with so many fields, each of which tells the odd ones from the others."""
    names = [f"flag{number:02}" for number in range(count)]
    return [sample(n, dict.fromkeys(names, "no" if n % 2 else "yes"), None) for n in range(6)]


def test_up_to_twenty_equal_explanations_one_is_taken_and_above_none():
    assert MOST_TIES == 20
    found = telling(open_scope(flags(20)), ODD)
    assert describe(phrased_test(found.expr)).endswith('flag00 == "no")')
    assert len(fitting(open_scope(flags(21)), ODD)) == 21
    assert telling(open_scope(flags(21)), ODD) is None


def test_the_simplest_is_taken_whatever_the_order_of_the_fields():
    rows = [{"deep": {"state": "ab"[n % 2]}, "state": "ab"[n % 2]} for n in range(6)]
    turned = [dict(reversed(row.items())) for row in rows]
    for given in (rows, turned):
        found = telling(open_scope([sample(n, row, None) for n, row in enumerate(given)]), ODD)
        assert describe(phrased_test(found.expr)) == '(exists(state) and state == "b")'


def test_what_is_unknown_speaks_neither_for_nor_against():
    people = {f"u{n}": {"user_id": f"u{n}", "level": "ab"[n % 2]} for n in range(4)}
    known = known_rows({"people": table(people, "user_id", "people")})
    samples = [sample(n, {"user_id": f"u{n}"}, None) for n in range(6)]
    found = telling(known.scope(samples), ODD)
    assert found.truths == (False, True, False, True, None, None)
    # All that is known is of one side: that would be no explanation.
    assert telling(known.scope(samples), (True,) * 4 + (False,) * 2) is None


def test_a_number_is_compared_with_zero_and_with_another():
    def words(*rows):
        samples = [sample(n, row, None) for n, row in enumerate(rows)]
        return describe(phrased_test(telling(open_scope(samples), ODD).expr))

    assert "left > 0" in words(*({"left": n + 1 if n % 2 else -n} for n in range(6)))
    assert "cost > limit" in words(
        *({"cost": 10 * n + 5 + n % 2, "limit": 10 * n + 5} for n in range(6))
    )


def test_a_truth_is_no_number():
    values = (1, True, 0, True, 1, True)
    found = telling(open_scope([sample(n, {"x": v}, None) for n, v in enumerate(values)]), ODD)
    assert describe(phrased_test(found.expr)) == "(exists(x) and x == true)"
