"""Phrasing: the words of drafts, and tests that are false where nothing is there to speak of."""

import pytest

from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.phrasing import MisfitError, phrased, phrased_test
from envwright.sandbox.worlds import describe

CARD = drafts.argument(("card",))
WALLET = drafts.looked_up("people", drafts.own_field(("user_id",)), ("cards",))


def test_items_of_two_lists_are_known_by_their_list_and_by_how_deep_they_stand():
    lists = [drafts.argument(("old",)), drafts.argument(("new",))]
    inner = drafts.walk("map", lists, 1, drafts.item(1, "second", ("price",)))
    found = phrased(drafts.walk("map", [drafts.own_field(("parts",))], 0, inner))
    assert (found.named, found.body.named) == ("item", "item2")
    assert (found.body.body.name, found.body.body.path) == ("item2", ("second", "price"))


def test_a_field_that_stays_as_it_was_is_not_set_in_a_replaced_item():
    parts, named = drafts.own_field(("parts",)), drafts.item(0, "", ())
    kept = drafts.first_with(parts, "id", named, ("size",))
    body = drafts.fields({"id": named, "size": kept, "state": drafts.constant("sent")})
    found = phrased(drafts.replaced(parts, "id", [drafts.argument(("ids",))], 0, body))
    assert [one.path for one in found.set] == [("state",)]


def test_items_are_replaced_by_objects_only():
    parts = drafts.own_field(("parts",))
    draft = drafts.replaced(parts, "id", [drafts.argument(("ids",))], 0, drafts.constant(1))
    with pytest.raises(MisfitError, match="replaced by what are no objects"):
        phrased(draft)


def test_what_is_missing_is_missing_only_where_its_place_is_known():
    test = drafts.apply("absent", drafts.member(WALLET, CARD, ()))
    words = describe(phrased_test(test))
    assert words.startswith("(exists(people[user_id].cards)")
    assert words.endswith("not(exists(people[user_id].cards[$card])))")


def test_an_argument_that_is_null_is_not_given():
    assert describe(phrased_test(drafts.apply("absent", CARD))) == "$card == null"
    assert describe(phrased_test(drafts.apply("present", CARD))) == "$card != null"
