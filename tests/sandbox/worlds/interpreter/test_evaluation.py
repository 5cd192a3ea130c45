"""Tests of the evaluation: every primitive has a rule, contracts hold, values are told apart."""

import pytest

from envwright.sandbox.worlds import PRIMITIVES, Absence, Frame, Refusal
from envwright.sandbox.worlds.interpreter.evaluation import _RULES, inside, key_text, same, turns
from envwright.sandbox.worlds.programs import MapOf
from support.program_parts import arg, element, loop
from support.situations import EXPR, transaction

LOOP = EXPR.validate_python(loop("map", arg("x"), "item", body=element()))


def test_every_primitive_has_a_rule():
    assert _RULES.keys() == set(PRIMITIVES)


def test_a_loop_shows_its_elements_under_two_names_and_hides_them_again():
    frame = Frame({}, transaction(), names={"v": 0})
    seen = [(item, dict(inner.names)) for item, inner in turns(LOOP, [1, 2], frame)]
    assert seen == [(1, {"v": 0, "element": 1, "item": 1}), (2, {"v": 0, "element": 2, "item": 2})]
    assert frame.names == {"v": 0}


def test_each_turn_of_a_loop_costs_the_size_of_the_loop():
    call = transaction()
    list(turns(LOOP, [1, 2, 3], Frame({}, call)))
    assert isinstance(LOOP, MapOf)
    assert call.left == call.limits.work - 3 * LOOP.size


def test_what_is_not_inside_is_absent():
    assert inside({"a": [1]}, ("a", 0), "it") == 1
    with pytest.raises(Absence, match=r"Error: it has no a\[1\]"):
        inside({"a": [1]}, ("a", 1), "it")


@pytest.mark.parametrize(("key", "text"), [("a", "a"), (12, "12"), ("", "")])
def test_a_key_is_a_text_or_a_whole_number(key, text):
    assert key_text(key) == text


@pytest.mark.parametrize("key", [None, True, 1.5, ["a"], {"a": 1}])
def test_nothing_else_is_a_key(key):
    with pytest.raises(Refusal, match="a key is a text or a whole number"):
        key_text(key)


@pytest.mark.parametrize(
    ("left", "right", "work"), [("a" * 1024, "b", 4), ([1, 2], [1, {"a": 2}], 7), (1, 2, 0)]
)
def test_comparing_large_values_is_work(left, right, work):
    call = transaction()
    assert not same(left, right, Frame({}, call))
    assert call.left == call.limits.work - work


def test_values_of_two_types_differ_without_work():
    call = transaction(limits={"work": 1})
    assert not same([0] * 100, {}, Frame({}, call))
    with pytest.raises(Refusal, match="takes more than 1 steps"):
        same([0] * 100, [0] * 100, Frame({}, call))
