"""The meaning of expressions that give true or false."""

import operator
from collections.abc import Callable
from typing import Any

from envwright.events.canonical import Json
from envwright.sandbox.worlds.interpreter.evaluation import (
    all_taken,
    evaluate,
    rule,
    same,
    taken,
    turns,
)
from envwright.sandbox.worlds.interpreter.frames import Frame
from envwright.sandbox.worlds.programs import (
    And,
    Compare,
    Contains,
    Every,
    Exists,
    In,
    Not,
    Or,
)
from envwright.sandbox.worlds.programs.contracts import kind_of
from envwright.sandbox.worlds.refusal import Absence, Refusal

_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@rule(Exists)
def _exists(expr: Exists, frame: Frame) -> Json:
    try:
        evaluate(expr.of, frame)
    except Absence:
        return False
    return True


@rule(Compare)
def _compare(expr: Compare, frame: Frame) -> Json:
    left, right = evaluate(expr.left, frame), evaluate(expr.right, frame)
    if expr.sign in ("==", "!="):
        return same(left, right, frame) == (expr.sign == "==")
    kind = kind_of(left)
    if kind != kind_of(right) or kind not in ("number", "text"):
        raise Refusal(
            f"Error: `{expr.sign}` compares two numbers or two texts, "
            f"not {left!r:.80} and {right!r:.80}"
        )
    if kind == "text":
        frame.transaction.spend_on_text(left)
    return bool(_ORDERS[expr.sign](left, right))


@rule(In)
def _in(expr: In, frame: Frame) -> Json:
    value, items = evaluate(expr.value, frame), taken(expr, "of", frame)
    frame.transaction.spend(len(items))
    return any(same(value, item, frame) for item in items)


@rule(Contains)
def _contains(expr: Contains, frame: Frame) -> Json:
    text, part = taken(expr, "text", frame), taken(expr, "part", frame)
    frame.transaction.spend_on_text(text)
    return part in text


@rule(Every)
def _every(expr: Every, frame: Frame) -> Json:
    items = taken(expr, "of", frame)
    return all(taken(expr, "holds", inner) for _, inner in turns(expr, items, frame))


@rule(And)
def _and(expr: And, frame: Frame) -> Json:
    return all(all_taken(expr, "terms", frame))


@rule(Or)
def _or(expr: Or, frame: Frame) -> Json:
    return any(all_taken(expr, "terms", frame))


@rule(Not)
def _not(expr: Not, frame: Frame) -> Json:
    return not taken(expr, "of", frame)
