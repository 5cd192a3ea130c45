"""Tests of the opening of worlds: what is shared, and errors that name file and place."""

import json
from typing import Any

import pytest

from envwright.events.errors import BadInputError
from envwright.events.values import ToolSchema
from envwright.sandbox.worlds import open_world, opening
from envwright.sandbox.worlds.opening import ContentCache
from envwright.sandbox.worlds.rows import BaseTables
from support.shop import PROGRAMS, TABLES, TOOLS, WORLD, open_shop, shop_files


def changed(part: Any, *path: Any, value: Any) -> Any:
    """Return a copy with a value put in one place."""
    result = json.loads(json.dumps(part))
    place = result
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return result


def complaint(tools: tuple[ToolSchema, ...] = TOOLS, **parts: Any) -> str:
    with pytest.raises(BadInputError) as caught:
        open_world("tables", tools, shop_files(**parts))
    return str(caught.value)


def test_an_unknown_kind_is_named_with_the_kinds_there_are():
    with pytest.raises(BadInputError, match="'tabels'; the kinds are tables"):
        open_world("tabels", TOOLS, shop_files())


@pytest.mark.parametrize("name", ["tables.json", "programs.json", "world.json"])
def test_a_missing_file_is_named(name):
    files = shop_files()
    del files[name]
    with pytest.raises(BadInputError, match=f"environment/{name} is missing"):
        open_world("tables", TOOLS, files)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "line 1 column 1"),
        (b'{"a":\n{"key": }}', "line 2 column 9"),
        (b'{"a": "\xff"}', "byte 7 is not UTF-8"),
        (b"\xef\xbb\xbf{}", "it must be JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"t": {"key": "id", "rows": {"a": {}, "a": {}}}}', "the key 'a' twice"),
        (b'{"t": {"key": "id", "rows": {"a": {"n": NaN}}}}', "not a JSON number"),
        (b'{"t": {"key": "id", "rows": {"a": {"n": ' + b"1" * 5000 + b"}}}}", "digits"),
        (b"[]", "valid dictionary"),
        (b'{"t": {"key": "id"}}', "t.rows: Field required"),
        (b'{"t": {"key": "", "rows": {}}}', "t.key"),
        (b'{"t": {"key": "id", "rows": {"a": 1}}}', "t.rows.a"),
        (b'{"t": {"key": "id", "rows": {}, "more": 1}}', "t.more"),
        (
            b'{"t": {"key": "id", "rows": {"a": {"n": ' + b"[" * 100 + b"]" * 100 + b"}}}}",
            "t.rows.a nests deeper",
        ),
        (
            '{"t": {"key": "id", "rows": {"Zo\u00eb": {}, "Zoe\u0308": {}}}}'.encode(),
            "equal after NFC",
        ),
    ],
)
def test_tables_that_cannot_be_read_are_named_with_the_place(data, text):
    message = complaint(tables=data)
    assert message.startswith("environment/tables.json: ")
    assert text in message


ORDER_KEY = ("get_order", "key")


@pytest.mark.parametrize(
    ("programs", "text"),
    [
        (changed(PROGRAMS, "get_order", "op", value="lokup"), "get_order: Input tag 'lokup'"),
        (changed(PROGRAMS, "get_order", "table", value="order"), "there is no table 'order'"),
        (changed(PROGRAMS, *ORDER_KEY, value={"op": "row"}), "`row` in `key` needs the row"),
        (
            changed(PROGRAMS, *ORDER_KEY, "path", value=["id"]),
            "get_order.key: the tool declares no argument 'id'; it has: order_id",
        ),
        (changed(PROGRAMS, "no_tool", value=PROGRAMS["get_order"]), "no_tool is no tool"),
        ({name: p for name, p in PROGRAMS.items() if name != "get_order"}, "get_order has no"),
    ],
)
def test_programs_that_do_not_fit_are_named_with_the_place(programs, text):
    message = complaint(programs=programs)
    assert "environment/programs.json" in message
    assert text in message


@pytest.mark.parametrize("clock", ["yesterday", "2024-01-01", 0, "2024-01-01T00:00:00+01:00"])
def test_a_clock_that_is_no_utc_time_is_named(clock):
    assert complaint(world={"clock": clock}).startswith("environment/world.json: clock: ")


def test_two_tools_with_one_name_are_refused():
    assert "two tools" in complaint(tools=(*TOOLS, TOOLS[0]))


def test_a_tool_with_a_broken_schema_is_named():
    broken = ToolSchema(name="get_order", parameters={"type": "strnig"})
    assert "tool get_order" in complaint(tools=(broken, *TOOLS[1:]))


def test_a_file_that_failed_once_fails_again():
    assert complaint(tables=b"[]") == complaint(tables=b"[]")


def test_files_of_other_owners_are_left_alone():
    world = open_world("tables", TOOLS, {**shop_files(), "README.md": b"\xff"})
    assert world.digest() == open_shop().digest()


def test_a_file_that_differs_in_form_alone_opens_the_same_world():
    spaced = json.dumps(TABLES, indent=2, ensure_ascii=False).encode()
    assert open_shop(tables=spaced).digest() == open_shop().digest()


def test_tables_are_read_once_for_all_worlds_that_have_them(monkeypatch):
    read = []
    monkeypatch.setattr(opening, "BaseTables", lambda t: read.append(t) or BaseTables(t))
    tables = {**TABLES, "only_here": {"key": "id", "rows": {}}}
    one = open_shop(tables=tables)
    other = open_shop(tables=tables)
    other_programs = open_shop(
        tables=tables, programs=changed(PROGRAMS, "list_policies", "value", value=1)
    )
    assert len(read) == 1
    assert one.digest() == other.digest() == other_programs.digest()


def test_what_was_made_of_some_content_is_made_once():
    made = []
    cache: ContentCache[list[int]] = ContentCache(2)
    results = [cache.get(content, lambda: made.append(1) or [len(made)]) for content in "aab"]
    assert results == [[1], [1], [2]]


def test_the_content_used_least_lately_is_forgotten_first():
    cache: ContentCache[str] = ContentCache(2)
    for content in "abac":
        cache.get(content, lambda content=content: content)
    assert cache.get("a", lambda: "made again") == "a"
    assert cache.get("b", lambda: "made again") == "made again"


def test_tools_that_are_no_json_are_bad_input():
    broken = ToolSchema(name="get_order", parameters={"default": float("nan")})
    assert "not a JSON number" in complaint(tools=(broken, *TOOLS[1:]))


def test_who_changes_a_schema_after_opening_changes_no_world():
    tools = tuple(tool.model_copy(deep=True) for tool in TOOLS)
    world = open_world("tables", tools, shop_files())
    tools[0].parameters["properties"].clear()
    assert world.call("get_order", {"order_id": "#1"}).ok


def test_tools_are_part_of_what_is_shared():
    described = tuple(tool.model_copy(update={"description": "other"}) for tool in TOOLS)
    open_shop()
    world = open_world("tables", described, shop_files(world=WORLD))
    assert {tool.description for tool in world.tools()} == {"other"}


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (
            {"op": "of_row", "table": "no", "key": {"op": "arg", "path": ["order_id"]}},
            "get_order: there is no table 'no'; the tables: orders, users",
        ),
        (
            {"op": "map", "of": {"op": "arg", "path": ["ids"]}, "body": {"op": "element"}},
            "get_order.returns: the tool declares no argument 'ids'",
        ),
        ({"op": "abs", "of": {"op": "const", "value": "x"}}, "get_order.lookup.returns.abs"),
    ],
)
def test_a_part_inside_a_program_that_does_not_fit_is_named(expr, text):
    message = complaint(programs=changed(PROGRAMS, "get_order", "returns", value=expr))
    assert text in message


def test_a_program_that_is_nested_without_end_is_refused():
    expr: Any = {"op": "row"}
    for _ in range(400):
        expr = {"op": "not", "of": expr}
    message = complaint(programs=changed(PROGRAMS, "get_order", "returns", value=expr))
    assert message.startswith("environment/programs.json: ")


def test_limits_are_part_of_the_design_and_not_of_the_state():
    limited = open_shop(world={**WORLD, "limits": {"text": 3}})
    assert limited.digest() == open_shop().digest()
    assert limited.state() == open_shop().state()
    refused = limited.call("get_order", {"order_id": "#1234"})
    assert "a text of more than 3 characters" in refused.value
    assert "limits.text" in complaint(world={**WORLD, "limits": {"text": 0}})
