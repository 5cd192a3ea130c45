"""Tests of differences between states."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import equal
from envwright.sandbox.worlds import Change, diff
from support.shop import open_shop

LEAVES = st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from([1.0, 2.5, "a", "b"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=8,
)


def applied(value: Any, changes: tuple[Change, ...]) -> Any:
    """Return `value` with the changes made: a reader of diffs that knows nothing of `diff`."""
    # Removals from the back, so that indexes of earlier ones stay right.
    last = [change for change in reversed(changes) if change.kind == "removed"]
    holder = [value]
    for change in [*(c for c in changes if c.kind != "removed"), *last]:
        container: Any = holder
        path = (0, *change.path)
        for step in path[:-1]:
            container = container[step]
        if change.kind == "removed":
            del container[path[-1]]
        elif change.kind == "added" and isinstance(container, list):
            container.insert(path[-1], change.after)
        else:
            container[path[-1]] = change.after
    return holder[0]


@given(VALUES, VALUES)
def test_the_changes_lead_from_one_value_to_the_other(before, after):
    import copy

    changes = diff(before, after)
    assert equal(applied(copy.deepcopy(before), changes), after)


@given(VALUES)
def test_equal_values_have_no_difference(value):
    assert diff(value, value) == ()


@given(VALUES, VALUES)
def test_the_way_back_is_the_mirror_image(before, after):
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    back = [(c.path, turned[c.kind], c.after, c.before) for c in diff(after, before)]
    assert [(c.path, c.kind, c.before, c.after) for c in diff(before, after)] == back


@pytest.mark.parametrize(("before", "after"), [(25, 25.0), ("Zo\u00eb", "Zoe\u0308")])
def test_one_value_in_two_forms_is_no_difference(before, after):
    assert diff({"a": before}, {"a": after}) == ()


@pytest.mark.parametrize(
    ("before", "after"), [(1, True), (0, False), (1, "1"), ({}, []), (0, None)]
)
def test_values_that_python_may_take_for_equal_differ(before, after):
    change = Change(path=("a",), kind="changed", before=before, after=after)
    assert diff({"a": before}, {"a": after}) == (change,)


def test_a_call_shows_as_its_changed_leaves():
    world = open_shop()
    before = world.state()
    world.call("cancel_order", {"order_id": "#1", "note": "late"})
    order = ("tables", "orders", "#1")
    refund = {"method": "card", "refund": 25.5}
    assert diff(before, world.state()) == (
        Change(path=(*order, "cancel_note"), kind="added", after="late"),
        Change(path=(*order, "payments", 1), kind="added", after=refund),
        Change(path=(*order, "status"), kind="changed", before="pending", after="cancelled"),
    )


def test_a_new_row_is_one_change():
    world = open_shop()
    before = world.state()
    world.call("add_user", {"user_id": 10, "name": "Cy"})
    (change,) = diff(before, world.state())
    assert (change.path, change.kind) == (("tables", "users", "10"), "added")
    assert change.after == world.state()["tables"]["users"]["10"]
