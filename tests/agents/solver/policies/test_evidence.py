"""Tests of what speaks for a value in a slot."""

from envwright.agents.solver.policies.shape import value_key
from support.searching import RESULTS, Search

CANCEL, CHANGE = "cancel_pending_order", "change_shipping_address"


def values(search: Search, tool: str, name: str) -> list[object]:
    found = search.evidence.candidates(search.slot(tool, name), search.focus(tool))
    return [candidate.value for candidate in found]


def test_a_named_id_beats_a_described_one():
    told = 'Cancel order #W3. It is not the order with the item "Desk Lamp".'
    assert Search(told).best(CANCEL, "order_id") == "#W3"


def test_a_described_id_beats_one_that_only_fits():
    assert Search('Cancel the order with the item "Desk Lamp".').best(CANCEL, "order_id") == "#W1"


def test_a_word_is_never_taken_for_an_id():
    found = values(Search('Cancel the order with the item "Desk Lamp".'), CANCEL, "order_id")
    assert "Desk Lamp" not in found and "Ada" not in found


def test_what_a_record_has_already_is_no_new_value():
    told = 'Change the shipping address of order #W1. The street should be "9 Fir Way".'
    assert values(Search(told), CHANGE, "street")[0] == "9 Fir Way"


def test_a_value_that_describes_is_no_new_value():
    told = (
        'Change the shipping address. I mean the order whose city is "Lyon". The city should be '
        '"Turin".'
    )
    assert values(Search(told), CHANGE, "city")[0] == "Turin"


def test_a_choice_is_taken_where_it_is_said_and_not_where_it_describes():
    told = (
        'Cancel the order whose reason is "ordered by mistake". '
        'The reason should be "no longer needed".'
    )
    assert values(Search(told), CANCEL, "reason")[0] == "no longer needed"
    assert values(Search("Cancel #W1, ordered by mistake."), CANCEL, "reason")[0].startswith("ord")


def test_an_email_slot_takes_addresses_alone():
    search = Search("I am Ada Low, ada.low@example.com.", results=())
    assert values(search, "find_customer_id_by_email", "email") == ["ada.low@example.com"]


def test_the_thing_of_an_earlier_change_is_meant_by_the_same_and_only_then():
    told = "Cancel a pending order. {} The reason is no longer needed."
    for sentence, expected in (("It is about the same order.", True), ("I mean another.", False)):
        search = Search(told.format(sentence))
        search.evidence.recalled.add(value_key("#W2"))
        assert (search.best(CANCEL, "order_id") == "#W2") is expected


def test_new_results_bring_new_candidates():
    search = Search("Cancel the order.", results=RESULTS[:1])
    before = values(search, CANCEL, "order_id")
    full = Search("Cancel the order.")
    assert set(before) == {"#W1", "#W2", "#W3"} == set(values(full, CANCEL, "order_id"))


def test_seeds_order_equal_evidence_in_their_own_way():
    orders = {
        tuple(values(Search("Cancel it.", seed=seed), CANCEL, "order_id")) for seed in range(9)
    }
    assert len(orders) > 1
