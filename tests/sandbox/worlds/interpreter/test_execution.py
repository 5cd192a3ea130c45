"""Tests of the meaning of whole programs."""

from typing import Any

import pytest

from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import CallResult, open_world
from support.program_parts import (
    KEY,
    ROW,
    after,
    arg,
    compare,
    const,
    effect,
    either,
    element,
    entry,
    exists,
    field,
    items,
    let,
    loop,
    minus,
    obj,
    of_row,
    over,
    procedure,
    require,
    text,
    var,
)
from support.shop import open_tool, shop_files

ANY = {"type": "object", "properties": {name: {} for name in "xyz"}}

ROWS: dict[str, Any] = {
    "a": {"n": 1, "list": [3, "b", 2], "in": {"deep": [{"v": True}]}},
    "b": {"n": True, "list": [], "in": {}},
}


def lookup(returns: Any, key: Any = None) -> dict[str, Any]:
    return {
        "op": "lookup",
        "table": "t",
        "key": key or const("a"),
        "missing": "Error: missing",
        "returns": returns,
    }


def update(returns: Any = ROW, **parts: Any) -> dict[str, Any]:
    return lookup(returns) | {"op": "update", "set": [], "append": [], "guards": []} | parts


def create(row: Any, returns: Any = ROW, key: Any = None) -> dict[str, Any]:
    parts = {"op": "create", "table": "t", "exists": "Error: exists"}
    return parts | {"key": key or const("new"), "row": row, "returns": returns}


def find(*where: tuple[list[Any], Any]) -> dict[str, Any]:
    conditions = [{"path": path, "equals": equals} for path, equals in where]
    parts = {"op": "find", "table": "t", "missing": "Error: missing", "returns": KEY}
    return parts | {"where": conditions}


def put(path: list[Any], expr: Any) -> dict[str, Any]:
    return {"path": path, "value": expr}


def result(program: Any, **arguments: Any) -> CallResult:
    """Return the result of one call; assert that a refused one changed nothing."""
    world = open_tool(program, ROWS, ANY)
    before = world.digest(), world.snapshot()
    outcome = world.call("do", arguments)
    assert outcome.ok or (world.digest(), world.snapshot()) == before
    return outcome


def value(program: Any, **arguments: Any) -> Any:
    outcome = result(program, **arguments)
    assert outcome.ok, outcome.value
    return outcome.value


def error(program: Any, **arguments: Any) -> str:
    outcome = result(program, **arguments)
    assert not outcome.ok
    return str(outcome.value)


class TestLookup:
    def test_it_gives_the_row(self):
        assert value(lookup(ROW)) == ROWS["a"]

    def test_a_missing_row_gives_the_text_of_the_program(self):
        assert error(lookup(ROW, key=arg("x")), x="z") == "Error: missing"

    def test_a_whole_number_is_a_key_as_it_is_written(self):
        world = open_tool(lookup(KEY, key=arg("x")), {"12": {}}, ANY)
        assert [world.call("do", {"x": x}).value for x in (12, 12.0, "12")] == ["12"] * 3

    @pytest.mark.parametrize("x", [None, True, 1.5, ["a"], {"a": 1}])
    def test_nothing_else_is_a_key(self, x):
        assert "a key is a text or a whole number" in error(lookup(ROW, key=arg("x")), x=x)

    def test_an_empty_row_is_a_row(self):
        assert open_tool(lookup(ROW), {"a": {}}, ANY).call("do", {}).value == {}


class TestFind:
    def test_the_first_row_in_the_order_of_keys_is_found(self):
        rows = {key: {"n": 1} for key in ("b", "c", "a", "B")}
        world = open_tool(find((["n"], const(1))), rows, ANY)
        assert world.call("do", {}).value == "B"

    def test_all_conditions_must_hold(self):
        assert value(find((["list"], const([])), (["in"], const({})))) == "b"
        assert error(find((["list"], const([])), (["n"], const(1)))) == "Error: missing"

    def test_true_is_not_one_and_an_absent_field_is_not_null(self):
        assert value(find((["n"], const(True)))) == "b"
        assert value(find((["n"], const(1.0)))) == "a"
        assert error(find((["no"], const(None)))) == "Error: missing"

    def test_it_sees_the_rows_as_they_are_now(self):
        programs = {
            "find": find((["n"], arg("x"))),
            "move": lookup(KEY, key=arg("y")) | {"op": "update", "set": [put(["n"], arg("x"))]},
            "add": create({"op": "object", "fields": {"n": arg("x")}}, KEY, arg("y")),
        }
        tools = tuple(ToolSchema(name=name, parameters=ANY) for name in programs)
        rows = {"b": {"n": 1}, "c": {"n": 1}}
        files = shop_files({"t": {"key": "id", "rows": rows}}, programs)
        world = open_world("tables", tools, files)
        assert world.call("find", {"x": 1}).value == "b"
        world.call("move", {"y": "b", "x": 2})
        assert world.call("find", {"x": 1}).value == "c"
        assert world.call("find", {"x": 2}).value == "b"
        world.call("add", {"y": "a", "x": 1})
        assert world.call("find", {"x": 1}).value == "a"
        world.reset(0)
        assert world.call("find", {"x": 1}).value == "b"


class TestUpdate:
    def test_set_replaces_and_adds_fields_and_items(self):
        program = update(
            set=[put(["n"], arg("x")), put(["in", "new"], KEY), put(["list", 1], field("n"))]
        )
        expected = {**ROWS["a"], "n": "v", "list": [3, 1, 2]}
        expected["in"] = {**ROWS["a"]["in"], "new": "a"}
        assert value(program, x="v") == expected

    def test_append_adds_at_the_end_after_all_sets(self):
        program = update(
            append=[put(["list"], const(1)), put(["new"], const(2))], set=[put(["new"], const([]))]
        )
        assert value(program) == {**ROWS["a"], "list": [3, "b", 2, 1], "new": [2]}

    @pytest.mark.parametrize(
        "path", [["no", "x"], ["list", 3], ["list", "x"], ["n", "x"], ["in", 0], ["in", "no", 0]]
    )
    def test_a_place_that_does_not_exist_is_an_error(self, path):
        assert "has no place for" in error(update(set=[put(path, const(1))]))

    @pytest.mark.parametrize("path", [["no"], ["n"], ["in"]])
    def test_only_a_list_can_be_appended_to(self, path):
        assert "Error: a has no list" in error(update(append=[put(path, const(1))]))

    def test_an_error_after_a_first_set_leaves_the_row(self):
        assert "Error" in error(update(set=[put(["n"], const(5)), put(["n"], field("no"))]))
        assert "Error" in error(update(field("no"), set=[put(["n"], const(5))]))

    @pytest.mark.parametrize(
        ("path", "within", "passes"),
        [
            (["n"], [5, 1.0], True),
            (["n"], [True], False),
            (["n"], [], False),
            (["no"], [None], False),
            (["in", "deep", 0], [{"v": True}], True),
            (["in", "deep", 0], [{"v": 1}], False),
        ],
    )
    def test_a_guard_compares_values_and_an_absent_field_never_passes(self, path, within, passes):
        guard = {"path": path, "within": within, "error": "Error: guarded"}
        outcome = result(update(guards=[guard], set=[put(["n"], const(5))]))
        assert outcome.ok == passes
        assert passes or outcome.value == "Error: guarded"

    def test_the_first_guard_that_fails_speaks(self):
        guards = [{"path": ["n"], "within": [0], "error": f"Error: {i}"} for i in range(2)]
        assert error(update(guards=guards, set=[put(["n"], const(5))])) == "Error: 0"

    def test_a_row_that_would_grow_without_end_is_refused(self):
        twice = {"op": "list", "items": [field("n"), field("n")]}
        world = open_tool(update(const(0), set=[put(["n"], twice)]), ROWS, ANY)
        outcomes = [world.call("do", {}).ok for _ in range(20)]
        assert outcomes == sorted(outcomes, reverse=True) and not outcomes[-1]
        world.digest()

    def test_a_row_that_would_nest_without_end_is_refused(self):
        deeper = {"op": "list", "items": [field("n")]}
        world = open_tool(update(const(0), set=[put(["n"], deeper)]), ROWS, ANY)
        outcomes = [world.call("do", {}) for _ in range(100)]
        assert "nests deeper than 64 levels" in outcomes[-1].value
        world.digest()


class TestCreate:
    def test_it_adds_a_row_that_can_be_read(self):
        assert value(create(arg("x"), {"op": "list", "items": [KEY, ROW]}), x={"n": 1}) == [
            "new",
            {"n": 1},
        ]

    def test_a_key_that_exists_gives_the_text_of_the_program(self):
        assert error(create(const({}), key=const("a"))) == "Error: exists"
        world = open_tool(create(const({})), {}, ANY)
        assert [world.call("do", {}).ok for _ in range(2)] == [True, False]

    @pytest.mark.parametrize("x", [None, [], "text", 1])
    def test_a_row_is_an_object(self, x):
        assert "a row must be an object" in error(create(arg("x")), x=x)


def test_constant_gives_its_value():
    assert value({"op": "constant", "value": [1, {"a": None}]}) == [1, {"a": None}]


class TestExpressionsOfARow:
    def test_field_follows_its_path(self):
        assert value(lookup(field("in", "deep", 0, "v"))) is True

    @pytest.mark.parametrize("path", [["no"], ["list", 3], ["list", "0"], ["n", "x"], ["in", 0]])
    def test_an_absent_field_is_an_error_that_names_it(self, path):
        assert error(lookup(field(*path))).startswith("Error: a has no ")

    def test_field_is_as_before_the_call_and_row_as_after(self):
        program = update(items(field("n"), ROW), set=[put(["n"], const(9))])
        assert value(program) == [1, {**ROWS["a"], "n": 9}]

    def test_key_is_the_key_as_text(self):
        assert value(lookup(KEY, key=const("a"))) == "a"

    def test_a_row_may_look_into_others(self):
        assert value(lookup(items(field("n"), of_row("t", const("b"), "n")))) == [1, True]


class TestSearch:
    def search(self, *where: Any, returns: Any = KEY) -> dict[str, Any]:
        conditions = [{"path": path, "equals": equals} for path, equals in where]
        return {"op": "search", "table": "t", "where": conditions, "returns": returns}

    def found(self, *where: Any, returns: Any = KEY, **arguments: Any) -> Any:
        return value(self.search(*where, returns=returns), **arguments)

    def test_it_gives_a_result_for_each_row_that_matches_in_the_order_of_keys(self):
        assert self.found() == ["a", "b"]
        assert self.found((["n"], arg("x")), x=True) == ["b"]
        assert self.found((["n"], const(7))) == []

    def test_results_may_be_parts_of_rows(self):
        assert self.found(returns=obj(k=KEY, n=field("n"))) == [
            {"k": "a", "n": 1},
            {"k": "b", "n": True},
        ]

    def test_it_says_which_rows_it_read(self):
        outcome = result(self.search((["n"], const(1))))
        assert [footprint.key for footprint in outcome.reads] == ["a"]

    def test_a_row_without_the_field_ends_the_call(self):
        assert error(self.search(returns=field("in", "deep"))) == "Error: b has no in.deep"


IN_A = ("t", const("a"))
A = after(*IN_A)


def do(*effects: Any, steps: Any = (), returns: Any = A) -> dict[str, Any]:
    return procedure(list(steps), list(effects), returns)


class TestProcedure:
    def test_steps_are_evaluated_in_order_and_see_the_ones_before(self):
        steps = [let("x1", arg("x")), let("x2", items(var("x1"), var("x1")))]
        assert value(do(steps=steps, returns=var("x2", 1)), x=5) == 5

    def test_the_first_requirement_that_fails_speaks(self):
        steps = [
            require(compare(arg("x"), ">", const(0)), "Error: first"),
            require(compare(arg("x"), ">", const(1)), "Error: second"),
            let("never", of_row("t", const("no"))),
        ]
        assert error(do(steps=steps), x=0) == "Error: first"
        assert error(do(steps=steps), x=1) == "Error: second"
        assert error(do(steps=steps), x=2) == "Error: there is no no in t"

    def test_a_requirement_of_each_element_names_the_first_that_fails(self):
        step = require(
            exists(entry(of_row(*IN_A), var("name"))),
            text("Error: ", var("name"), " not in ", element()),
            of=arg("x"),
            named="name",
        )
        assert value(do(steps=[step]), x=["n", "in"]) == ROWS["a"]
        assert error(do(steps=[step]), x=["n", "q", "r"]) == "Error: q not in q"

    def test_an_error_text_is_a_text_and_not_longer_than_anybody_reads(self):
        step = require(const(False), text(arg("x")))
        assert len(error(do(steps=[step]), x="y" * 5000)) == 901
        step = require(const(False), either(const(True), arg("x"), const("t")))
        assert "`require` takes a text, not 5" in error(do(steps=[step]), x=5)

    def test_effects_see_the_tables_as_before_and_the_result_sees_them_as_after(self):
        n = of_row(*IN_A, "n")
        effects = [
            effect("set", *IN_A, "n", value=const(9)),
            effect("append", *IN_A, "list", value=n),
        ]
        assert value(do(*effects, returns=items(n, A))) == [
            1,
            {**ROWS["a"], "n": 9, "list": [3, "b", 2, 1]},
        ]

    def test_an_error_in_the_last_effect_or_in_the_result_leaves_everything(self):
        change = effect("set", *IN_A, "n", value=const(9))
        assert error(do(change, effect("remove", *IN_A, "no")))
        assert error(do(change, returns=after("t", const("no"))))

    def test_it_reads_and_writes_rows_of_several_tables(self):
        rows = {"a": {"n": 1}}
        tables = {name: {"key": "id", "rows": rows} for name in ("t", "u")}
        move = [
            effect("set", table, const("a"), "n", value=of_row(other, const("a"), "n"))
            for table, other in (("t", "u"), ("u", "t"))
        ]
        raised = effect("set", "u", const("a"), "n", value=const(2))
        programs = {"move": do(*move), "raise": do(raised)}
        tools = tuple(ToolSchema(name=name, parameters=ANY) for name in programs)
        world = open_world("tables", tools, shop_files(tables, programs))
        world.call("raise", {})
        outcome = world.call("move", {})
        assert [(f.kind, f.key) for f in outcome.writes] == [("t", "a"), ("u", "a")]
        assert {(f.kind, f.key) for f in outcome.reads} == {("t", "a"), ("u", "a")}
        state = world.state()["tables"]
        assert (state["t"]["a"]["n"], state["u"]["a"]["n"]) == (2, 1)

    def test_a_price_difference_comes_out_raw_or_rounded_as_the_program_says(self):
        difference = minus(arg("x"), arg("y"))
        both = items(difference, over("round", difference))
        assert value(do(returns=both), x=2535.69, y=2361.86) == [173.82999999999993, 173.83]

    def test_a_value_that_doubles_at_each_step_is_refused(self):
        steps = [let("v0", items(arg("x")))]
        steps += [let(f"v{n + 1}", items(var(f"v{n}"), var(f"v{n}"))) for n in range(30)]
        assert "holds more than 100000 values" in error(do(steps=steps, returns=const(1)), x=1)

    def test_a_result_that_loops_blow_up_is_refused(self):
        blown = loop("map", arg("x"), body=loop("map", arg("x"), body=arg("x")))
        assert "the result holds more than 100000 values" in error(do(returns=blown), x=[0] * 100)

    def test_a_row_that_effects_blow_up_is_refused(self):
        double = effect("set", *IN_A, "n", value=items({"op": "current"}, {"op": "current"}))
        often = loop("each", arg("x"), effects=[double])
        assert "a cannot be written: it holds more" in error(do(often), x=[0] * 60)

    def test_work_has_a_limit(self):
        inner = over("length", loop("map", arg("x"), body=element()))
        slow = loop("map", arg("x"), body=inner)
        assert "takes more than 1000000 steps" in error(do(returns=slow), x=[0] * 1000)

    def test_a_procedure_without_effects_writes_nothing(self):
        outcome = result(do(returns=of_row(*IN_A, "n")))
        assert (outcome.value, outcome.writes) == (1, ())
