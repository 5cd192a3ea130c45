"""Tests of arithmetic: it is that of Python's floats, so that logs can be reproduced exactly."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envwright.events import equal
from support.program_parts import arg, const, minus, over
from support.situations import evaluated, refusal

FLOATS = st.floats(-1e12, 1e12) | st.integers(-(2**40), 2**40)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**1022), 2**1022)


def plus(*terms: Any) -> Any:
    return {"op": "plus", "terms": list(terms)}


def times(*factors: Any) -> Any:
    return {"op": "times", "factors": list(factors)}


def rounded(of: Any, digits: int = 2) -> Any:
    return {"op": "round", "of": of, "digits": digits}


X, Y = arg("x"), arg("y")


@pytest.mark.parametrize(
    ("expr", "x", "y", "expected"),
    [
        (minus(X, Y), 2535.69, 2361.86, 173.82999999999993),
        (rounded(minus(X, Y)), 2535.69, 2361.86, 173.83),
        (plus(X, Y, const(0.3)), 0.1, 0.2, 0.6000000000000001),
        (times(X, Y), 50, 3, 150),
        (times(X, Y, const(2)), 1.1, 1.1, 2.4200000000000004),
        (over("negate", X), 25, None, -25),
        (over("abs", X), -173.82999999999993, None, 173.82999999999993),
        (rounded(X), 2.675, None, 2.67),
        (rounded(X, 0), 2.5, None, 2),
        (rounded(X), 1234, None, 1234),
    ],
)
def test_it_gives_what_python_gives(expr, x, y, expected):
    value = evaluated(expr, x=x, y=y)
    assert value == expected
    assert type(value) is type(expected)


@given(FLOATS, FLOATS)
def test_each_operation_is_that_of_floats_without_rounding(x, y):
    for expr, expected in (
        (plus(X, Y), float(x) + float(y)),
        (minus(X, Y), float(x) - float(y)),
        (over("negate", X), -float(x)),
        (over("abs", X), abs(float(x))),
        (rounded(X), round(float(x), 2)),
    ):
        assert equal(evaluated(expr, x=x, y=y), expected)


@given(st.lists(st.floats(-1e9, 1e9), max_size=20))
def test_a_sum_is_that_of_a_loop_on_any_version_of_python(numbers):
    total = 0.0
    for number in numbers:
        total += number
    assert equal(evaluated(over("sum", X), x=numbers), total)


@given(NUMBERS, NUMBERS)
def test_a_result_is_canonical_or_an_error(x, y):
    for expr in (plus(X, Y), minus(X, Y), times(X, Y), over("negate", X), rounded(X)):
        try:
            value = evaluated(expr, x=x, y=y)
        except Exception as error:
            assert "too large" in str(error)
        else:
            assert math.isfinite(value)
            assert not (isinstance(value, float) and value.is_integer() and abs(value) < 2**53)


@pytest.mark.parametrize(
    ("expr", "x", "y"),
    [
        (times(X, Y), 1e200, 1e200),
        (plus(X, Y), 1.7e308, 1.7e308),
        (times(X, Y), 10**300, 10**300),
        (times(X, Y), 10**400, 0.5),
    ],
)
def test_a_result_past_the_range_of_floats_is_an_error(expr, x, y):
    assert "too large to calculate with" in refusal(expr, x=x, y=y)


def test_whole_numbers_are_exact():
    assert evaluated(plus(X, Y), x=2**53, y=1) == 2**53 + 1


@pytest.mark.parametrize("value", [None, True, "1", [1]])
@pytest.mark.parametrize(
    "expr", [plus(X, X), minus(X, X), times(X, X), over("negate", X), over("abs", X), rounded(X)]
)
def test_only_numbers_are_calculated_with(expr, value):
    assert f"`{expr['op']}` takes a number" in refusal(expr, x=value)
