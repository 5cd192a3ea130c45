"""Tests of patterns: those that are understood match as Python's do, and none is slow."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.sandbox.worlds.patterns import understood

UNDERSTOOD = [
    r"",
    r"^",
    r"$",
    r"a",
    r"^\d{4}-\d{2}-\d{2}$",
    r"^#W\d{7}$",
    r"^[^@\s]+@[^@\s]+\.[^@\s]+$",
    r"[A-Z]{2,}",
    r"[a-c-]{1,3}x?",
    r"^a*b+c?.$",
    r"\.\$\\",
    r"x\$",
    r"x\\$",
    r"^[\w-]+$",
    r"a{0}b",
    r"a{2,2}",
    r"\d\D\s\S\w\W",
]

NOT_UNDERSTOOD = [
    r"^(a|b)$",
    r"(a+)+$",
    r"a|b",
    r"(?i)a",
    r"(?=a)",
    r"\1",
    r"\bword",
    r"\Aa",
    r"\u0061",
    r"a*?",
    r"a++",
    r"a{2}{3}",
    r"a{,3}",
    r"[a&&b]",
    r"[a--b]",
    r"[^]]",
    r"a^b",
    r"a$b",
    r"a{900}b{200}",
    r"a{5,2}",
    "[",
    "*a",
]

TEXTS = st.text(st.sampled_from("abcxAZ09#W-@. \n$\\_\u00e9\u0663"), max_size=12)


@pytest.mark.parametrize("pattern", UNDERSTOOD)
def test_it_is_understood(pattern):
    assert understood(pattern) is not None


@pytest.mark.parametrize("pattern", NOT_UNDERSTOOD)
def test_it_is_not_understood(pattern):
    assert understood(pattern) is None


@given(st.sampled_from(UNDERSTOOD), TEXTS)
def test_it_matches_as_python_does(pattern, text):
    found = understood(pattern)
    assert found is not None
    assert found.is_in(text) == bool(re.search(pattern, text))


ATOMS = st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\w", r"\.", "-"])
SIGNS = st.sampled_from(["", "*", "+", "?", "{2}", "{1,2}", "{0,}", "{3,}"])
BODIES = st.lists(st.builds(str.__add__, ATOMS, SIGNS), max_size=5).map("".join)


@given(st.sampled_from(["", "^"]), BODIES, st.sampled_from(["", "$"]), TEXTS)
def test_what_it_is_made_of_matches_as_in_python(start, body, end, text):
    pattern = start + body + end
    found = understood(pattern)
    assert found is not None
    assert found.is_in(text) == bool(re.search(pattern, text))


def test_a_pattern_that_is_slow_elsewhere_takes_time_by_the_length_of_the_text():
    found = understood("^a*a*a*a*a*a*b$")
    assert found is not None
    started = time.process_time()
    assert not found.is_in("a" * 50_000)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("pattern", "quick"),
    [("^x_", True), ("^[a-z]+$", True), ("_id$", True), ("[a-z]+$", False), ("^a?b?$", False)],
)
def test_patterns_that_python_matches_quickly_are_known(pattern, quick):
    found = understood(pattern)
    assert found is not None
    assert found.is_quick == quick
