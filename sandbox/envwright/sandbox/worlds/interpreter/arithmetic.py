"""The meaning of arithmetic: whole numbers exactly, all others as Python's floats."""

import operator
from collections.abc import Callable
from functools import partial, reduce
from typing import TypeAlias

from envwright.events.canonical import Json, normalise
from envwright.events.errors import CanonicalError
from envwright.sandbox.worlds.interpreter.evaluation import all_taken, rule, taken
from envwright.sandbox.worlds.interpreter.frames import Frame
from envwright.sandbox.worlds.programs import AbsOf, Minus, Negate, Plus, RoundTo, Times
from envwright.sandbox.worlds.refusal import Refusal

Number: TypeAlias = int | float

_LARGEST = 2**1023
"""Whole numbers stay where floats are, too: a product in a loop must not grow without end."""


def _calculated(operation: Callable[[Number, Number], Number], left: Number, right: Number) -> Json:
    try:
        value = operation(left, right)
        if isinstance(value, int) and abs(value) > _LARGEST:
            raise OverflowError
        # 25.0 is 25, as everywhere in a world.
        return normalise(value)
    except (OverflowError, CanonicalError) as error:
        raise Refusal("Error: a number is too large to calculate with") from error


def add(left: Number, right: Number) -> Json:
    """Return the sum of two numbers.

    Raises:
        Refusal: it is larger than floats are.
    """
    return _calculated(operator.add, left, right)


def rounded(value: Number, digits: int) -> Json:
    """Return a number rounded as Python does: the nearest one, ties of exact halves to even."""
    return _calculated(lambda number, places: round(number, int(places)), value, digits)


@rule(Plus)
def _plus(expr: Plus, frame: Frame) -> Json:
    return reduce(add, all_taken(expr, "terms", frame))


@rule(Minus)
def _minus(expr: Minus, frame: Frame) -> Json:
    return _calculated(operator.sub, taken(expr, "left", frame), taken(expr, "right", frame))


@rule(Times)
def _times(expr: Times, frame: Frame) -> Json:
    return reduce(partial(_calculated, operator.mul), all_taken(expr, "factors", frame))


@rule(Negate)
def _negate(expr: Negate, frame: Frame) -> Json:
    return normalise(-taken(expr, "of", frame))


@rule(AbsOf)
def _abs(expr: AbsOf, frame: Frame) -> Json:
    return abs(taken(expr, "of", frame))


@rule(RoundTo)
def _round(expr: RoundTo, frame: Frame) -> Json:
    return rounded(taken(expr, "of", frame), expr.digits)
