"""Reach: the objects that calls get to by keys, and what nobody knows of them."""

from envwright.recipes.toolspace.induction.learning import known_rows
from envwright.recipes.toolspace.induction.phrasing import phrased
from envwright.recipes.toolspace.induction.roots import UNKNOWN
from envwright.recipes.toolspace.induction.scopes import open_scope
from envwright.recipes.toolspace.values import ABSENT
from envwright.sandbox.worlds import describe
from support.samples import sample, table

BOSSES = {f"u{n}": {"user_id": f"u{n}", "boss": f"u{(n + 1) % 6}"} for n in range(6)}
CALLS = [sample(n, {"owner": f"u{n}"}, None) for n in range(6)]


def reached(scope):
    """What each object that is reached says, with its values."""
    return {
        describe(phrased(root.column(()).expr)): root.values
        for root in scope.roots
        if root.kind == "reached"
    }


def test_one_id_in_two_tables_is_two_objects_that_name_their_table():
    prices = {key: {"user_id": key, "price": n} for n, key in enumerate(BOSSES)}
    tables = {
        "people": table(BOSSES, "user_id", "people"),
        "fees": table(prices, "user_id", "fees"),
    }
    found = reached(known_rows(tables).scope(CALLS))
    assert found["people[owner]"] == tuple(BOSSES.values())
    assert found["fees[owner]"] == tuple(prices.values())


def test_rows_that_lead_to_each_other_are_followed_a_few_steps_only():
    found = reached(known_rows({"people": table(BOSSES, "user_id", "people")}).scope(CALLS))
    assert set(found) == {
        "people[owner]",
        "people[people[owner].boss]",
        "people[people[people[owner].boss].boss]",
    }


def test_a_look_up_that_serves_fewer_than_half_of_the_calls_is_not_worth_trying():
    cards = [{"cards": {f"c{n}": {"left": n}}} for n in range(6)]

    def scope(hits):
        return open_scope(
            [
                sample(n, row, None, card=f"c{n}" if n < hits else "none")
                for n, row in enumerate(cards)
            ]
        )

    assert reached(scope(2)) == {}
    assert reached(scope(3))["cards[$card]"] == (
        {"left": 0},
        {"left": 1},
        {"left": 2},
        *[ABSENT] * 3,
    )


def test_a_row_that_was_never_read_is_unknown_and_not_absent():
    few = known_rows({"people": table({k: BOSSES[k] for k in ("u0", "u1")}, "user_id", "people")})
    values = reached(few.scope(CALLS))["people[owner]"]
    assert values == (BOSSES["u0"], BOSSES["u1"], *[UNKNOWN] * 4)


def test_an_item_is_found_by_the_same_value_only_and_true_is_not_one():
    parts = [{"on": 5}, {"on": True}, {"on": 1}]
    calls = [sample(n, {"parts": parts}, None, which=1) for n in range(3)]
    (item,) = [root for root in open_scope(calls).roots if root.kind == "reached"]
    assert item.values[0] is parts[2]
