"""Solving: the cheapest expression that gives what was observed on every frame, or none."""

import pytest

from envwright.recipes.toolspace.induction.phrasing import phrased
from envwright.recipes.toolspace.induction.scopes import open_scope
from envwright.recipes.toolspace.induction.solving import mapped, solve
from envwright.sandbox.worlds import describe
from support.samples import sample

CALLS = [
    sample(
        n,
        {"lines": [{"id": f"l{n}{k}", "cost": 2 * n + 3 * k + 1} for k in range(1 + n % 3)]},
        None,
        note=f"n{n}",
        sizes=[f"s{n}{k}" for k in range(1 + n % 3)],
    )
    for n in range(6)
]


def solved(give, name="kept"):
    found = solve(open_scope(CALLS), tuple(map(give, CALLS)), name)
    return phrased(found.expr) if found else None


def lines(one):
    return one.before["lines"]


@pytest.mark.parametrize(
    ("give", "op"),
    [
        (lambda one: one.arguments["note"], "arg"),
        (lambda one: sum(line["cost"] for line in lines(one)), "sum"),
        (lambda one: {"why": one.arguments["note"], "kind": "refund"}, "object"),
        (lambda one: [{"of": line["id"], "paid": -line["cost"]} for line in lines(one)], "map"),
        (lambda one: [one.arguments["note"], "end"], "list"),
        (lambda one: f"about {one.arguments['note']}!", "text"),
    ],
)
def test_every_shape_has_its_expression(give, op):
    assert solved(give).op == op


def test_an_object_of_which_one_field_is_not_explained_is_not_explained():
    odd = (3.25, -8.5, 71.75, 6.5, -90.25, 14.75)
    found = solved(lambda one: {"why": one.arguments["note"], "sum": odd[int(one.key[1:])]})
    assert found is None


def test_two_lists_are_walked_together_item_by_item():
    pairs = solved(
        lambda one: [
            {"id": line["id"], "size": size}
            for line, size in zip(lines(one), one.arguments["sizes"], strict=True)
        ]
    )
    assert (pairs.op, pairs.of.op) == ("map", "zip")


def test_a_list_of_one_fixed_thing_is_no_walk_over_a_list_of_one():
    calls = [sample(n, {"lines": [{"id": n}]}, None, note=f"n{n}") for n in range(5)]
    targets = tuple([{"say": f"n{n}"}] for n in range(5))
    assert mapped(open_scope(calls), targets) is None
    assert phrased(solve(open_scope(calls), targets, "kept").expr).op == "list"


def test_without_observations_there_is_no_expression():
    assert solve(open_scope(()), (), "kept") is None


def test_the_order_of_the_calls_does_not_matter():
    def cheapest(calls):
        targets = tuple(sum(line["cost"] for line in lines(one)) for one in calls)
        return describe(phrased(solve(open_scope(calls), targets, "total").expr))

    assert cheapest(CALLS) == cheapest(CALLS[::-1])
