"""Tests of effects, as data."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from envwright.sandbox.worlds import Effect
from support.program_parts import arg, const, effect, loop

READER: TypeAdapter[Any] = TypeAdapter(Effect)
IN_A = ("t", const("a"))


@pytest.mark.parametrize("op", ["set", "append", "extend", "add", "remove"])
def test_a_place_starts_with_a_field_that_may_be_computed(op):
    parts = {"extend": {"values": const([])}, "remove": {}}.get(op, {"value": const(1)})
    assert READER.validate_python(effect(op, *IN_A, "n", 0, arg("x"), **parts))
    assert READER.validate_python(effect(op, *IN_A, arg("x"), **parts))
    with pytest.raises(ValidationError, match="path starts with 0; a row is an object"):
        READER.validate_python(effect(op, *IN_A, 0, **parts))


@pytest.mark.parametrize(
    "part",
    [
        effect("set", *IN_A, value=const(1)),
        loop("each", arg("x"), effects=[]),
        {"op": "when", "holds": const(True), "then": []},
    ],
)
def test_what_would_do_nothing_is_refused(part):
    with pytest.raises(ValidationError, match="at least 1"):
        READER.validate_python(part)


def test_an_effect_is_the_same_after_a_round_trip_through_json():
    part = READER.validate_python(effect("set", *IN_A, "n", arg("x"), value={"op": "current"}))
    assert READER.validate_json(READER.dump_json(part)) == part
    assert READER.validate_python(part.model_dump(mode="json")) == part
