"""JSON as logs have it: what is no JSON is a mark, and a mark has no canonical form."""

import json
import math

import pytest

from envwright.events.canonical import normalise
from envwright.recipes.toolspace.readers.jsontext import (
    DEPTH,
    Mark,
    NotJsonError,
    UnusableError,
    canonical,
    parse,
    read_json,
)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_is_none_is_a_mark_where_it_stands(text):
    value = parse(f'{{"a": 1, "b": {text}}}')
    assert value["a"] == 1
    assert isinstance(value["b"], Mark)
    with pytest.raises(UnusableError, match=f"{text} is not a JSON number"):
        canonical(value)


def test_a_number_too_large_for_a_float_has_no_canonical_form():
    with pytest.raises(UnusableError, match="inf is not a JSON number"):
        read_json('{"a": 1e999}')


def test_a_number_of_too_many_digits_is_a_mark():
    with pytest.raises(UnusableError, match="a number of 5000 digits"):
        read_json("9" * 5000)
    assert read_json("9" * 100) == int("9" * 100)


def test_a_key_twice_with_one_value_is_that_value():
    assert read_json('{"a": {"b": 1}, "a": {"b": 1}}') == {"a": {"b": 1}}


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '{"a": 1, "a": true}', '{"a": 2, "a": 2.5}'])
def test_a_key_twice_with_different_values_is_a_mark(text):
    with pytest.raises(UnusableError, match="key 'a' stands twice with different values"):
        read_json(text)


def test_a_mark_is_no_harm_to_what_stands_beside_it():
    value = parse('{"a": NaN, "b": {"c": 1.0, "d": 2, "d": 3}, "e": "x"}')
    assert canonical(value["e"]) == "x"
    assert canonical(value["b"]["c"]) == 1


@pytest.mark.parametrize("text", [r'"\ud83d"', r'{"\udc00": 1}'])
def test_half_a_character_has_no_canonical_form(text):
    with pytest.raises(UnusableError, match="half a surrogate pair"):
        read_json(text)


def test_a_whole_surrogate_pair_is_a_character():
    assert read_json(r'"\ud83d\ude00"') == "\U0001f600"


def test_nesting_is_read_down_to_a_limit():
    inside = "[" * DEPTH + "]" * DEPTH
    assert json.dumps(read_json(inside)) == inside
    with pytest.raises(UnusableError, match="nested deeper than"):
        read_json(f"[{inside}]")
    with pytest.raises(UnusableError, match="nested too deep"):
        parse("[" * 100_000 + "]" * 100_000)


def test_what_is_no_json_says_so():
    with pytest.raises(NotJsonError, match="not JSON: Expecting value"):
        parse("tru")


def test_values_get_the_canonical_form_of_the_house():
    value = {"e\u0301": ["e\u0301", 25.0, 0.5, True, None, math.pi]}
    assert canonical(value) == normalise(value)


def test_keys_that_become_one_are_refused():
    with pytest.raises(UnusableError, match="two keys are one text"):
        canonical({"e\u0301": 1, "\u00e9": 2})


def test_equal_keys_of_two_values_are_one_object():
    left, right = (canonical(parse('{"a_longer_key": 1}')) for _ in range(2))
    assert next(iter(left)) is next(iter(right))
