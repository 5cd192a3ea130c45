"""Reads: look-ups, finders and constants."""

from envwright.events.values import ToolSchema
from envwright.recipes.toolspace.induction.reads import (
    fit_constant,
    fit_finder,
    fit_lookup,
    lookup_fidelity,
    missing_text,
)
from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.tables import mine_tables
from envwright.sandbox.worlds import Argument, Condition, FieldOf, KeyOf, ObjectOf, RowAfter
from support.tool_logs import failed, history, ok, trace

KEYS = range(6)
TAKES_ID = ToolSchema(
    name="read", parameters={"type": "object", "properties": {"user_id": {"type": "string"}}}
)


def user(n):
    return {"user_id": f"u{n}", "mail": f"m{n}@x", "name": {"last": f"L{n}"}, "town": "Bonn"}


def mined(*calls_of):
    traces = [
        trace(n, ok("get_user", user(n), user_id=f"u{n}"), *(make(n) for make in calls_of))
        for n in KEYS
    ]
    found = history(*traces)
    return found, mine_tables(found, find_entities(found), dict.fromkeys(found.tools, "read"))


def test_the_reader_of_a_table_gives_the_row():
    found, tables = mined()
    program = fit_lookup(found, "ns.get_user", tables["users"])
    assert program.key == Argument(path=("user_id",))
    assert program.returns == RowAfter()
    assert lookup_fidelity(found, TAKES_ID, "ns.get_user", tables["users"], program) == (6, 6)


def test_another_tool_gives_part_of_the_row():
    found, tables = mined(
        lambda n: ok(
            "user_card", {"user_id": f"u{n}", "mail": f"m{n}@x", "town": "Bonn"}, user_id=f"u{n}"
        )
    )
    program = fit_lookup(found, "ns.user_card", tables["users"])
    assert isinstance(program.returns, ObjectOf)
    assert program.returns.fields["mail"] == FieldOf(path=("mail",))
    assert lookup_fidelity(found, TAKES_ID, "ns.user_card", tables["users"], program) == (6, 6)


def test_a_tool_that_gives_the_key_of_a_row_by_its_fields_is_a_finder():
    found, tables = mined(lambda n: ok("who", f"u{n}", mail=f"m{n}@x", last_name=f"L{n}"))
    program = fit_finder(found, "ns.who", tables)
    assert program.table == "users"
    assert program.where == (
        Condition(path=("name", "last"), equals=Argument(path=("last_name",))),
        Condition(path=("mail",), equals=Argument(path=("mail",))),
    )
    assert program.returns == KeyOf()


def test_a_finder_may_wrap_the_key():
    found, tables = mined(lambda n: ok("who", {"found": f"u{n}"}, mail=f"m{n}@x"))
    assert isinstance(fit_finder(found, "ns.who", tables).returns, ObjectOf)


def test_a_key_for_arguments_that_no_field_holds_is_no_finder():
    found, tables = mined(lambda n: ok("who", f"u{n}", secret=f"zz{n * n}"))
    assert fit_finder(found, "ns.who", tables) is None


def test_a_tool_that_always_answers_the_same_is_a_constant():
    found, _ = mined(lambda n: ok("hours", "8 to 17"), lambda n: ok("now", f"time {n}"))
    assert fit_constant(found, "ns.hours").value == "8 to 17"
    assert fit_constant(found, "ns.now") is None


def test_one_task_proves_no_constant():
    found = history(trace(1, ok("hours", "8"), ok("hours", "8"), ok("hours", "8")))
    assert fit_constant(found, "ns.hours") is None


def test_the_text_of_a_missing_key_is_the_usual_one_that_names_no_value():
    found, tables = mined(
        lambda n: failed("get_user", "Error: no such user", user_id=f"x{n}"),
        lambda n: failed("get_user", f"Error: y{n} is unknown", user_id=f"y{n}"),
    )
    assert missing_text(found, "ns.get_user", tables["users"], "user_id") == "Error: no such user"


def test_without_a_text_on_record_one_is_made():
    found, tables = mined()
    assert missing_text(found, "ns.get_user", tables["users"], "user_id") == "Error: user not found"
