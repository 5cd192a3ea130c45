"""Drafts: equal expressions are one draft, and every one has words in the language of worlds."""

import pytest

from envwright.recipes.toolspace.induction import drafts
from envwright.recipes.toolspace.induction.phrasing import phrased
from envwright.sandbox.worlds import describe

GIVEN = drafts.argument(("parts",))
ROW = drafts.own_field(("log",))
ITEM = drafts.item(0, "", ("size",))


def test_an_object_is_the_same_in_whatever_order_its_fields_were_found():
    one, other = {"a": GIVEN, "b": ROW}, {"b": ROW, "a": GIVEN}
    assert drafts.fields(one) == drafts.fields(other)
    assert len({drafts.fields(one), drafts.fields(other)}) == 1


def test_a_draft_does_not_change_with_the_list_that_it_was_made_of():
    parts = [GIVEN]
    made = drafts.sequence(parts)
    parts.append(ROW)
    assert made == drafts.sequence([GIVEN])


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (drafts.constant(2.5), "2.5"),
        (drafts.own_key(), "key"),
        (drafts.looked_up("people", GIVEN, ("name",)), "people[$parts].name"),
        (drafts.member(ROW, GIVEN, ()), "log[$parts]"),
        (drafts.in_order(GIVEN), "sorted($parts)"),
        (drafts.walk("map", [GIVEN], 0, ITEM), "[item.size for each item of $parts]"),
        (drafts.walk("sum", [GIVEN], 0, ITEM), "sum([item.size for each item of $parts])"),
        (drafts.joined(ROW, drafts.sequence([GIVEN])), "concat([log, [$parts]])"),
        (
            drafts.first_with(ROW, "id", GIVEN, ("size",)),
            "(first each of log where each.id == $parts).size",
        ),
        (drafts.apply("round2", drafts.apply("minus", ROW, GIVEN)), "round2((log - $parts))"),
        (
            drafts.either(drafts.apply("present", ROW), ROW, GIVEN),
            "(log if exists(log) else $parts)",
        ),
        (drafts.template(["for ", GIVEN]), 'text("for ", $parts)'),
    ],
)
def test_a_draft_has_words(draft, words):
    assert describe(phrased(draft)) == words


def test_a_constant_is_the_same_as_the_same_value_only():
    assert drafts.constant(1) == drafts.constant(1)
    assert drafts.constant(True) != drafts.constant(1)
    assert len({drafts.constant(True), drafts.constant(1), drafts.constant({"a": [1]})}) == 3
