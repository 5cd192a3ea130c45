"""Tests of effects: what each one does to the rows, and when it cannot be done."""

from typing import Any

import pytest

from envwright.sandbox.worlds import CallResult, World
from support.program_parts import (
    CURRENT,
    arg,
    coalesce,
    const,
    effect,
    element,
    exists,
    items,
    loop,
    of_row,
    over,
    procedure,
    var,
)
from support.shop import open_tool

ANY = {"type": "object", "properties": {name: {} for name in "xyz"}}
ROWS: dict[str, Any] = {
    "a": {"n": 1, "list": [3, {"v": "b"}], "in": {"x": {"balance": 5.1}, "7": 0}},
    "b": {"n": 2},
}
IN_A = ("t", const("a"))


def done(*effects: Any, **arguments: Any) -> tuple[World, CallResult]:
    world = open_tool(procedure([], list(effects), const(None)), ROWS, ANY)
    before = world.digest(), world.snapshot()
    outcome = world.call("do", arguments)
    assert outcome.ok or (world.digest(), world.snapshot()) == before
    return world, outcome


def rows_after(*effects: Any, **arguments: Any) -> Any:
    world, outcome = done(*effects, **arguments)
    assert outcome.ok, outcome.value
    return world.state()["tables"]["t"]


def error(*effects: Any, **arguments: Any) -> str:
    _, outcome = done(*effects, **arguments)
    assert not outcome.ok
    return str(outcome.value)


def test_set_puts_a_value_in_place():
    effects = [
        effect("set", *IN_A, "n", value=arg("x")),
        effect("set", *IN_A, "new", value=const(2)),
        effect("set", *IN_A, "list", 1, "v", value=const("c")),
    ]
    expected = {**ROWS["a"], "n": 9, "new": 2, "list": [3, {"v": "c"}]}
    assert rows_after(*effects, x=9) == {**ROWS, "a": expected}


def test_a_step_of_a_path_may_be_computed():
    effects = [
        effect("set", *IN_A, "in", arg("x"), "balance", value=const(0)),
        effect("set", *IN_A, "in", arg("y"), value=const(1)),
        effect("set", *IN_A, "list", arg("z"), value=const(4)),
        effect("set", *IN_A, arg("x"), value=const(5)),
    ]
    expected = {**ROWS["a"], "in": {"x": {"balance": 0}, "7": 1}, "list": [4, {"v": "b"}], "x": 5}
    assert rows_after(*effects, x="x", y=7, z=0)["a"] == expected


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (["no", "x"], "has no place for no.x"),
        (["list", 2], "has no place for list[2]"),
        (["in", arg("x"), "balance"], "has no place for in.no.balance"),
        (["list", arg("y")], "a list has no element -1"),
        (["in", arg("z")], "a key is a text or a whole number"),
    ],
)
def test_what_is_around_a_place_must_exist(path, message):
    assert message in error(effect("set", *IN_A, *path, value=const(1)), x="no", y=-1)


def test_current_is_what_the_effects_before_left():
    count = {"op": "plus", "terms": [coalesce(CURRENT, const(0)), const(1)]}
    effects = [effect("set", *IN_A, name, value=count) for name in ("n", "n", "new", "new")]
    after = rows_after(*effects)["a"]
    assert (after["n"], after["new"]) == (3, 2)
    assert rows_after(effect("set", *IN_A, "new", value=exists(CURRENT)))["a"]["new"] is False
    assert "nothing is there yet" in error(effect("set", *IN_A, "new", value=CURRENT))


def test_append_adds_one_value_and_extend_adds_many():
    effects = [
        effect("append", *IN_A, "list", value=arg("x")),
        effect("extend", *IN_A, "list", values=arg("x")),
    ]
    assert rows_after(*effects, x=[7, 8])["a"]["list"] == [*ROWS["a"]["list"], [7, 8], 7, 8]


@pytest.mark.parametrize("path", [["n"], ["no"], ["in"]])
@pytest.mark.parametrize(("op", "part"), [("append", "value"), ("extend", "values")])
def test_only_a_list_is_added_to(op, part, path):
    message = error(effect(op, *IN_A, *path, **{part: const([1])}))
    assert message == "Error: there is no list to add to"


def test_only_a_list_extends():
    message = error(effect("extend", *IN_A, "list", values=arg("x")), x="ab")
    assert "`extend` takes a list" in message


def test_add_adds_to_a_number_or_to_zero_and_rounds_where_it_says_so():
    def balance(name: str, digits: int | None) -> Any:
        return effect("add", *IN_A, "in", "x", name, value=arg("x"), digits=digits)

    assert rows_after(balance("balance", None), x=0.2)["a"]["in"]["x"] == {"balance": 5.1 + 0.2}
    twice = rows_after(balance("balance", 2), balance("balance", 2), x=-1.7)
    assert twice["a"]["in"]["x"] == {"balance": 1.7}
    assert rows_after(balance("points", None), x=3)["a"]["in"]["x"] == {"balance": 5.1, "points": 3}


def test_add_adds_numbers_only():
    assert "`add` adds to a number, not to [3" in error(
        effect("add", *IN_A, "list", value=const(1))
    )
    assert "`add` takes a number" in error(effect("add", *IN_A, "n", value=arg("x")), x="1")


def test_remove_takes_a_field_an_entry_or_an_element_away():
    effects = [
        effect("remove", *IN_A, "n"),
        effect("remove", *IN_A, "in", arg("x")),
        effect("remove", *IN_A, "list", 0),
    ]
    assert rows_after(*effects, x="x")["a"] == {"in": {"7": 0}, "list": [{"v": "b"}]}
    assert "there is no in.y to remove" in error(effect("remove", *IN_A, "in", arg("x")), x="y")


def insert(key: Any, row: Any) -> Any:
    return {"op": "insert", "table": "t", "key": key, "row": row}


def delete(key: Any) -> Any:
    return {"op": "delete", "table": "t", "key": key}


def test_insert_adds_a_row_under_a_key_that_is_new():
    assert rows_after(insert(arg("x"), const({"n": 3})), x=7) == {**ROWS, "7": {"n": 3}}
    assert "there is a b in t already" in error(insert(const("b"), const({})))
    assert "`insert` takes a object" in error(insert(const("c"), arg("x")), x=[])


def test_delete_removes_a_row():
    world, outcome = done(delete(const("b")))
    assert world.state()["tables"]["t"] == {"a": ROWS["a"]}
    assert [footprint.key for footprint in outcome.writes] == ["b"]
    assert "there is no c in t" in error(delete(const("c")))


def test_rows_come_and_go_within_one_call():
    assert rows_after(delete(const("b")), insert(const("b"), const({"n": 0})))["b"] == {"n": 0}
    assert rows_after(insert(const("c"), const({})), delete(const("c"))) == ROWS
    assert "there is no b in t" in error(
        delete(const("b")), effect("set", "t", const("b"), "n", value=const(1))
    )


def test_each_repeats_effects_and_when_chooses():
    small = {"op": "compare", "left": element(), "sign": "<", "right": const(10)}
    add = effect("add", *IN_A, "n", value=var("one"))
    note = effect("append", *IN_A, "list", value=var("one"))
    chosen = {"op": "when", "holds": small, "then": [add], "otherwise": [note]}
    program = loop("each", arg("x"), "one", effects=[chosen])
    after = rows_after(program, x=[1, 20, 2])["a"]
    assert (after["n"], after["list"]) == (4, [3, {"v": "b"}, 20])
    alone = loop("each", arg("x"), effects=[{**chosen, "then": [delete(const("b"))]}], named="one")
    assert "there is no b" in error(alone, x=[1, 1])


def test_when_may_do_nothing():
    nothing = {"op": "when", "holds": const(False), "then": [delete(const("b"))], "otherwise": []}
    world, outcome = done(nothing)
    assert (outcome.ok, outcome.writes) == (True, ())


def test_a_row_that_is_not_there_cannot_be_changed():
    message = error(effect("set", "t", of_row("t", const("b"), "n"), "n", value=const(1)))
    assert message == "Error: there is no 2 in t"


def test_long_lists_are_work():
    growing = loop("each", arg("x"), effects=[effect("extend", *IN_A, "list", values=arg("x"))])
    assert "steps" in error(growing, x=[0] * 5000)
    summed = effect("set", *IN_A, "n", value=over("length", items()))
    assert rows_after(summed)["a"]["n"] == 0
