"""Tests of how what is known of a value is found in what is said."""

from support.searching import Search

CANCEL = "cancel_pending_order"


def relevance(told: str, values: list[str]) -> list[float]:
    search = Search(told)
    found = search.evidence.relevance.among(values, search.focus(CANCEL))
    return [found[f"text {value}"] for value in values]


def test_what_is_said_of_one_value_alone_tells_it_from_the_others():
    first, second, third = relevance("Cancel the order with the Desk Lamp.", ["#W1", "#W2", "#W3"])
    assert first > second and first > third


def test_what_fits_all_of_them_counts_nothing():
    assert relevance("Cancel the order of Ada Low.", ["#W2", "#W2"])[0] == 0.0
    lamp, clock = relevance('Cancel the order from "Lyon".', ["#W1", "#W3"])
    assert lamp == clock == 0.0


def test_the_state_that_a_tools_name_demands_counts_a_little():
    pending, delivered = relevance("Cancel it.", ["#W1", "#W2"])
    assert pending > delivered == 0.0


def test_a_value_that_names_its_field_counts_more():
    named = relevance('Cancel the order whose item name is "Desk Lamp".', ["#W1", "#W2"])[0]
    bare = relevance('Cancel the order about my old "Desk Lamp".', ["#W1", "#W2"])[0]
    assert named > bare > 0
