"""Markup: nothing that comes from a log is taken for HTML."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.console.report.markup import Markup, joined, share, table, tag, text


def test_text_is_escaped_and_markup_is_not():
    assert tag("p", "<b>&", Markup("<i>x</i>")) == "<p>&lt;b&gt;&amp;<i>x</i></p>"


def test_attributes_are_escaped():
    assert tag("a", "x", href='"><script>') == '<a href="&quot;&gt;&lt;script&gt;">x</a>'
    assert tag("p", class_="soft", aria_label="a") == '<p class="soft" aria-label="a"></p>'


@given(st.text())
def test_no_text_opens_an_element_or_ends_an_attribute(value):
    assert not set("<>\"'") & set(text(value))


def test_characters_that_nobody_sees_are_replaced():
    assert text("a\x00b\u202ec\td") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c\td"


def test_nothing_is_left_out_and_empty_elements_are_not_closed():
    assert joined(["a", None, 1], ", ") == "a, , 1"
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8">'


def test_a_table_has_a_caption_and_headers_for_its_columns():
    drawn = table("All", ["name", "#count"], [("<x>", 3)])
    assert "<caption>All</caption>" in drawn
    assert '<th scope="col" class="number">count</th>' in drawn
    assert "<td>&lt;x&gt;</td>" in drawn


@pytest.mark.parametrize(("value", "words"), [(1, "100 %"), (0.955, "95.5 %"), (None, "–")])
def test_shares_are_percentages(value, words):
    assert share(value) == words
