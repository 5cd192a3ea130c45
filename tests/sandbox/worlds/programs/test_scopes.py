"""Tests of the check of programs: every part has what it needs where it stands."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from envwright.sandbox.worlds import Program
from envwright.sandbox.worlds.programs import MAX_NESTING
from envwright.sandbox.worlds.programs.scopes import visits
from support.program_parts import (
    CURRENT,
    KEY,
    ROW,
    after,
    arg,
    const,
    effect,
    element,
    field,
    let,
    loop,
    over,
    procedure,
    require,
    text,
    var,
)

READER: TypeAdapter[Any] = TypeAdapter(Program)
ORDINAL = {"op": "ordinal", "counter": "c"}
IN_A = ("t", const("a"))
LOOKUP = {"op": "lookup", "table": "t", "key": const("a"), "missing": "", "returns": ROW}


def complaint(program: Any) -> str:
    with pytest.raises(ValidationError) as caught:
        READER.validate_python(program)
    return str(caught.value)


def returning(expr: Any, *steps: Any) -> Any:
    return procedure(list(steps), [], expr)


def doing(*effects: Any) -> Any:
    return procedure([], list(effects), const(None))


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (returning(ROW), "`row` in `returns` needs the row after the call"),
        (returning(KEY), "`key` in `returns` needs the key of the row"),
        (returning(field("n")), "`field` in `returns` needs the row before the call"),
        (returning(CURRENT), "`current` in `returns` needs the place of an effect"),
        (returning(const(1), let("v", after(*IN_A))), "`after` in `steps.0` needs the tables"),
        (doing(effect("set", *IN_A, "n", value=after(*IN_A))), "`after` in `effects.0.value`"),
        (doing(effect("append", *IN_A, "n", value=CURRENT)), "`current` in `effects.0.value`"),
        (doing(effect("set", *IN_A, CURRENT, value=const(1))), "`current` in `effects.0.path.0`"),
        ({**LOOKUP, "returns": ORDINAL}, "`ordinal` in `returns` needs the counters"),
        (returning(element()), "`element` in `returns` stands in no loop"),
        (returning(loop("map", element(), body=const(1))), "`element` in `returns` stands in no"),
        (returning(var("v")), "there is no variable 'v' in `returns`; the variables there: none"),
        (
            returning(var("v"), let("w", const(1))),
            "there is no variable 'v' in `returns`; the variables there: w",
        ),
        (
            returning(const(1), let("w", var("v")), let("v", const(1))),
            "there is no variable 'v' in `steps.0`",
        ),
        (
            returning(const(1), require(const(True), text(element()))),
            "`element` in `steps.0.error` stands in no loop",
        ),
        (returning(const(1), let("v", arg("x")), let("v", arg("y"))), "'v' in `steps.1` is taken"),
        (returning(const(1), let("element", arg("x"))), "'element' in `steps.0` is taken"),
        (
            returning(loop("map", arg("x"), "v", body=const(1)), let("v", arg("x"))),
            "'v' in `returns` is taken",
        ),
        (
            returning(loop("map", arg("x"), "v", body=loop("map", arg("x"), "v", body=const(1)))),
            "'v' in `returns` is taken",
        ),
        (
            returning(const(1), require(const(True), "Error: x", named="item")),
            "`named` is 'item' without a list; give `of` too",
        ),
    ],
)
def test_what_does_not_exist_where_it_stands_is_refused(program, message):
    assert message in complaint(program)


def test_what_exists_where_it_stands_is_admitted():
    inner = loop("map", var("item", "list"), body=var("item"))
    program = procedure(
        [
            let("v", arg("x")),
            let("w", over("length", loop("map", var("v"), "item", body=inner))),
            require(const(True), text(element(), var("item")), of=var("v"), named="item"),
        ],
        [
            effect("set", *IN_A, var("v"), value=CURRENT),
            loop("each", var("v"), "item", effects=[effect("set", *IN_A, "n", value=element())]),
        ],
        {"op": "list", "items": [after(*IN_A), ORDINAL, var("w")]},
    )
    assert READER.validate_python(program)


def test_loops_side_by_side_may_have_one_name():
    one = loop("map", arg("x"), "item", body=var("item"))
    assert READER.validate_python(returning({"op": "list", "items": [one, one]}))


def nested_effects(levels: int) -> Any:
    inner: Any = effect("set", *IN_A, "n", value=const(1))
    for _ in range(levels):
        inner = {"op": "when", "holds": const(True), "then": [inner]}
    return doing(inner)


def test_effects_nest_only_so_deep():
    assert READER.validate_python(nested_effects(MAX_NESTING - 1))
    assert "nests deeper" in complaint(nested_effects(MAX_NESTING))
    assert complaint(nested_effects(200))


def test_every_part_has_a_place():
    program = procedure(
        [let("v", text("a")), require(const(True), text("b"))],
        [effect("set", *IN_A, var("v"), value=const(1)), loop("each", arg("x"), effects=[
            {"op": "delete", "table": "t", "key": element()}])],
        const(2),
    )  # fmt: skip
    places = [(visit.slot, visit.depth) for visit in visits(READER.validate_python(program))]
    assert places == [
        ("steps.0", 0),
        ("steps.0", 1),
        ("steps.0", 2),
        ("steps.1", 0),
        ("steps.1.holds", 1),
        ("steps.1.error", 1),
        ("steps.1.error", 2),
        ("effects.0", 0),
        ("effects.0.key", 1),
        ("effects.0.path.0", 0),
        ("effects.0.path.0", 1),
        ("effects.0.value", 1),
        ("effects.1", 1),
        ("effects.1.of", 2),
        ("effects.1.effects.0", 1),
        ("effects.1.effects.0", 2),
        ("returns", 1),
    ]
