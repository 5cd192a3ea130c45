"""Pseudonyms: of one shape with their values, keyed, never shared, and found in texts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events.errors import BadInputError
from envwright.recipes.toolspace.readers.pseudonyms import Pseudonyms, is_specific, text_of

KEY = b"secret"
EMAIL = "mia.li@mail.org"


def pseudonym(value: str, key: bytes = KEY) -> str:
    found = Pseudonyms(key, [value]).whole(value, own=True)
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (EMAIL, r"[a-z]{3}\.[a-z]{2}@[a-z]{4}\.example"),
        ("Mia-Li O'Hara", r"[A-Z][a-z]{2}-[A-Z][a-z] [A-Z]'[A-Z][a-z]{3}"),
        ("+1 (555) 010-9999", r"\+[0-9] \([0-9]{3}\) [0-9]{3}-[0-9]{4}"),
        ("#W0012345", r"#[A-Z][0-9]{7}"),
        ("19122", r"[1-9][0-9]{4}"),
        ("Zoë", r"[A-Z][a-z]{2}"),
    ],
)
def test_a_pseudonym_has_the_shape_of_its_value(value, shape):
    assert re.fullmatch(shape, pseudonym(value))
    assert pseudonym(value) != value


def test_it_depends_on_the_key_and_on_nothing_else():
    assert pseudonym(EMAIL) == pseudonym(EMAIL) != pseudonym(EMAIL, b"other")
    many = Pseudonyms(KEY, ["ab@cd.org", EMAIL, "Mia"])
    assert many.whole(EMAIL, own=True) == pseudonym(EMAIL)


def test_numbers_stay_numbers_of_their_length_and_join_with_their_text():
    names = Pseudonyms(KEY, ["4155550", "12.5"])
    number = names.whole(4155550, own=True)
    assert isinstance(number, int)
    assert len(str(number)) == 7
    assert names.whole("4155550", own=False) == str(number)
    assert names.whole(4155550.0, own=False) == number
    assert isinstance(names.whole(12.5, own=True), float)


@given(st.lists(st.from_regex(r"[0-9]{1,2}|[a-z]{1,2}", fullmatch=True), max_size=150))
def test_no_two_values_share_a_pseudonym(values):
    names = Pseudonyms(KEY, values)
    found = {value: names.whole(value, own=True) for value in values}
    assert len(set(found.values())) == len(found)
    assert all(len(found[value]) == len(value) for value in values)


def test_where_there_are_too_few_pseudonyms_it_says_so():
    with pytest.raises(BadInputError, match="too few pseudonyms of 1 characters"):
        Pseudonyms(KEY, [*"abcdefghijklmnopqrstuvwxyz", *"äöüéèàçñåøæ"])


def test_values_in_texts_are_replaced_as_whole_words_longest_first():
    names = Pseudonyms(KEY, ["Mia", "Mia Li", EMAIL, "#W12345"])
    told = names.within(f"I am Mia Li ({EMAIL}), not Miami; Mia wants #W12345, not #W123456.")
    one, two, mail, order = (names.whole(v, own=True) for v in ("Mia Li", "Mia", EMAIL, "#W12345"))
    assert told == f"I am {one} ({mail}), not Miami; {two} wants {order}, not #W123456."


def test_values_that_share_a_beginning_are_all_found_whole():
    names = Pseudonyms(KEY, ["Mia", "Mia Li", "Li Wei"])
    assert "Mia" not in names.within("Mia Li Wei and Mia")


def test_short_values_are_replaced_in_their_own_field_alone():
    names = Pseudonyms(KEY, ["no", "Li", "123"])
    assert names.whole("no", own=True) != "no"
    assert names.whole("no", own=False) == "no"
    assert names.whole(123, own=False) == 123
    assert names.within("no, 123") == "no, 123"
    assert "Li" not in names.within("Li said")


def test_keys_of_maps_by_id_are_replaced_and_names_of_fields_are_not():
    names = Pseudonyms(KEY, ["card_4155", "email", EMAIL])
    assert names.key("card_4155") == names.whole("card_4155", own=True)
    assert names.key(EMAIL) != EMAIL
    assert names.key("email") == "email"
    assert names.key("other_17") == "other_17"


@pytest.mark.parametrize("value", [None, True, "", "—", [1]])
def test_what_is_no_value_has_no_pseudonym(value):
    names = Pseudonyms(KEY, ["", "—", EMAIL])
    assert names.whole(value, own=True) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("e\u0301", "é"),
        (5, "5"),
        (5.0, "5"),
        (2.5, "2.5"),
        (1e300, ""),
        (True, ""),
        (None, ""),
    ],
)
def test_a_value_is_known_by_its_text(value, text):
    assert text_of(value) == text


def test_long_enough_is_specific():
    assert [is_specific(text) for text in ("Mia", "Li", "li", "1234", "123")] == [
        True,
        True,
        False,
        True,
        False,
    ]
