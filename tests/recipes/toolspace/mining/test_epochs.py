"""Epochs: traces that contradict each other do not share a world."""

from envwright.recipes.toolspace.mining.epochs import split_epochs


def sights(**rows):
    return {("orders", key): value.encode() for key, value in rows.items()}


def test_traces_that_agree_are_of_one_epoch():
    found = split_epochs([sights(a="1"), sights(a="1", b="2"), sights(b="2")], ["x", "y", "z"])
    assert found == (1, frozenset({0, 1, 2}))


def test_traces_that_differ_are_apart_and_the_state_that_most_tasks_saw_is_used():
    seen = [sights(a="old", b="2"), sights(a="new"), sights(a="new"), sights(c="3")]
    found = split_epochs(seen, ["x", "y", "z", "w"])
    assert found == (2, frozenset({1, 2, 3}))


def test_repeated_trials_do_not_outvote_other_tasks():
    seen = [sights(a="old"), sights(a="old"), sights(a="old"), sights(a="new"), sights(a="new")]
    assert split_epochs(seen, ["x", "x", "x", "y", "z"]).used == frozenset({3, 4})


def test_a_log_without_sights_is_one_epoch():
    assert split_epochs([], []).shown == 1
