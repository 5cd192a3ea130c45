"""Tests of the interpreter: each primitive, and all of them against a naive second one."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envwright.events import encode, equal
from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import CallResult, open_world
from support.naive_interpreter import Refused, naive_call
from support.shop import open_tool, shop_files

ANY = {"type": "object", "properties": {name: {} for name in "xyz"}}

ROWS: dict[str, Any] = {
    "a": {"n": 1, "list": [3, "b", 2], "in": {"deep": [{"v": True}]}},
    "b": {"n": True, "list": [], "in": {}},
}


def const(value: Any) -> dict[str, Any]:
    return {"op": "const", "value": value}


def arg(*path: Any) -> dict[str, Any]:
    return {"op": "arg", "path": list(path)}


def field(*path: Any) -> dict[str, Any]:
    return {"op": "field", "path": list(path)}


ROW, KEY = {"op": "row"}, {"op": "key"}


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


class TestExpressions:
    def test_const_is_its_value(self):
        assert value(lookup(const({"a": [1, None]}))) == {"a": [1, None]}

    def test_arg_follows_its_path(self):
        assert value(lookup(arg("x", 1, "y")), x=[0, {"y": "found"}]) == "found"

    @pytest.mark.parametrize("x", [None, [], {"y": 1}, "text"])
    def test_an_absent_arg_is_null(self, x):
        assert value(lookup(arg("x", 0, "y")), x=x) is None
        assert value(lookup(arg("x"))) is None

    def test_field_follows_its_path(self):
        assert value(lookup(field("in", "deep", 0, "v"))) is True

    @pytest.mark.parametrize("path", [["no"], ["list", 3], ["list", "0"], ["n", "x"], ["in", 0]])
    def test_an_absent_field_is_an_error_that_names_it(self, path):
        assert error(lookup(field(*path))).startswith("Error: a has no ")

    def test_field_is_as_before_the_call_and_row_as_after(self):
        program = update({"op": "list", "items": [field("n"), ROW]}, set=[put(["n"], const(9))])
        assert value(program) == [1, {**ROWS["a"], "n": 9}]

    def test_object_and_list_hold_their_parts(self):
        program = lookup({"op": "object", "fields": {"k": KEY, "l": {"op": "list", "items": []}}})
        assert value(program) == {"k": "a", "l": []}

    def test_sorted_orders_a_list_of_all_types(self):
        assert value(lookup({"op": "sorted", "of": field("list")})) == [2, 3, "b"]
        given_list = [{}, "a", 10, [], True, None, 9.5]
        expected = [None, True, 9.5, 10, "a", [], {}]
        assert value(lookup({"op": "sorted", "of": arg("x")}), x=given_list) == expected

    @pytest.mark.parametrize("x", [None, "text", {"a": 1}, 5])
    def test_only_a_list_can_be_sorted(self, x):
        assert "only a list can be sorted" in error(lookup({"op": "sorted", "of": arg("x")}), x=x)

    def test_sorted_leaves_the_list_in_the_row_as_it_is(self):
        world = open_tool(lookup({"op": "sorted", "of": field("list")}), ROWS, ANY)
        before = world.digest()
        world.call("do", {})
        assert world.digest() == before
        assert world.state()["tables"]["t"]["a"]["list"] == [3, "b", 2]


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


# All primitives at once, against the naive interpreter

STEPS = st.sampled_from(["n", "m", "l", 0, 1])
PATHS = st.builds(
    lambda head, rest: [head, *rest], st.sampled_from("nml"), st.lists(STEPS, max_size=2)
)
LEAVES = st.sampled_from([None, True, False, 0, 1, 1.0, 2.5, "a", "b", "Zoe\u0308", "Zo\u00eb"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("nml"), inner),
    max_leaves=4,
)
TABLE_ROWS = st.dictionaries(st.sampled_from("nml"), VALUES, max_size=3)


def exprs(*leaves: Any) -> st.SearchStrategy[Any]:
    """Return expressions over these leaves, constants and arguments."""
    of_arguments = st.builds(
        lambda name, rest: arg(name, *rest), st.sampled_from("xy"), PATHS | st.just([])
    )
    return st.recursive(
        st.one_of(st.builds(const, VALUES), of_arguments, *leaves),
        lambda inner: st.one_of(
            st.builds(lambda i: {"op": "list", "items": i}, st.lists(inner, max_size=2)),
            st.builds(
                lambda f: {"op": "object", "fields": f},
                st.dictionaries(st.sampled_from("nml"), inner, max_size=2),
            ),
            st.builds(lambda of: {"op": "sorted", "of": of}, inner),
        ),
        max_leaves=4,
    )


FIELDS = st.builds(lambda path: field(*path), PATHS)
KEYS = st.sampled_from([const("a"), const("b"), const(1), arg("x"), arg("y")])
RETURNS = exprs(FIELDS, st.just(ROW), st.just(KEY))
PUTS = st.lists(st.builds(put, PATHS, exprs(FIELDS, st.just(KEY))), max_size=2)
GUARDS = st.lists(
    st.fixed_dictionaries(
        {
            "path": PATHS,
            "within": st.lists(VALUES, max_size=4),
            "error": st.just("Error: guarded"),
        }
    ),
    max_size=1,
)
PROGRAMS = st.one_of(
    st.builds(lookup, RETURNS, KEYS),
    st.builds(
        lambda returns, where: find(*where) | {"returns": returns},
        RETURNS,
        st.lists(st.tuples(PATHS, exprs()), min_size=1, max_size=2),
    ),
    st.builds(
        lambda returns, key, sets, appends, guards: update(
            returns, key=key, set=sets, append=appends, guards=guards
        ),
        RETURNS,
        KEYS,
        PUTS,
        PUTS,
        GUARDS,
    ).filter(lambda program: program["set"] or program["append"]),
    st.builds(create, exprs(st.just(KEY)), exprs(st.just(ROW), st.just(KEY)), KEYS),
    st.builds(lambda constant: {"op": "constant", "value": constant}, VALUES),
)
CALLS = st.lists(st.fixed_dictionaries({}, optional={"x": VALUES, "y": VALUES}), max_size=3)


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from("ab1"), TABLE_ROWS, max_size=3), PROGRAMS, CALLS)
def test_the_interpreter_does_what_the_naive_one_does(rows, program, calls):
    world = open_tool(program, rows, ANY)
    tables: Any = {"t": rows}
    for arguments in calls:
        outcome = world.call("do", arguments)
        try:
            expected, tables = naive_call(program, arguments, tables)
        except Refused as refused:
            assert not outcome.ok
            assert outcome.value.startswith("Error") and str(refused) in outcome.value
        else:
            assert outcome.ok
            assert equal(outcome.value, expected)
        assert equal(world.state()["tables"], tables)
        assert world.digest() == open_tool(program, tables["t"], ANY).digest()
        assert encode(world.state()) == encode(world.state(), nfc=True)
