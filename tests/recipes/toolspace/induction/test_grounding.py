"""Grounding: tools of a service are grounded as far as its log proves them, and no further."""

import pytest

from envwright.recipes.toolspace.induction.arguments import Surroundings
from envwright.recipes.toolspace.induction.grounding import Grounder
from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.schemas import schema_of
from envwright.recipes.toolspace.mining.tables import mine_tables
from support.clinic import clinic, clinic_profile
from support.tool_logs import history, ok, order, trace

OPS = {
    "add_note": "update",
    "book_visit": "create",
    "cancel_visit": "update",
    "change_city": "update",
    "find_patient": "find",
    "get_doctor": "lookup",
    "get_patient": "lookup",
    "get_visit": "lookup",
    "move_visit": "update",
    "opening_hours": "constant",
}


@pytest.mark.parametrize("tool", OPS)
def test_the_tools_of_the_clinic_are_grounded(tool):
    found = clinic().tool(f"clinic.{tool}")
    assert (found.status, found.program.op) == ("grounded", OPS[tool])
    assert found.exact == found.compared > 0


def test_what_the_language_cannot_say_is_not_grounded_and_says_why():
    found = clinic().tool("clinic.quote_fee")
    assert found.status == "unsupported"
    assert "neither a row by key" in found.reason


def test_the_guard_that_refusals_show_has_their_text():
    (guard,) = clinic().tool("clinic.move_visit").program.guards
    assert guard.within == ("booked",)
    assert guard.error == "Error: only a booked visit can be changed"


def test_the_profile_holds_every_tool():
    assert set(clinic_profile()["tools"]) == {f"clinic.{tool}" for tool in [*OPS, "quote_fee"]}


def get(key, status="open"):
    return ok("get_order", order(key, status, total=1), order_id=key)


def grounded(count, result, tool="ns.close"):
    traces = [
        trace(n, get(f"o{n}"), ok("close", "ok", order_id=f"o{n}", why=f"w{n % 2}"), result(n))
        for n in range(count)
    ]
    spare = [trace(f"s{n}", get(f"s{n}")) for n in range(3)]
    found = history(*traces, *spare)
    effects = {name: "write" if name == tool else "read" for name in found.tools}
    tables = mine_tables(found, find_entities(found), effects)
    schemas = {
        name: schema_of(name, [m.call for m in found.moments(name)], None) for name in found.tools
    }
    around = Surroundings(tables, dict.fromkeys(tables, frozenset()), ())
    return Grounder(found, effects, schemas, around).ground(tool)


def test_two_successes_are_insufficient_evidence():
    found = grounded(2, lambda n: get(f"o{n}", f"w{n % 2}"))
    assert found.status == "insufficient_evidence"


def test_a_write_that_nothing_explains_is_not_grounded():
    found = grounded(6, lambda n: get(f"o{n}", f"state {n * 31}"))
    assert (found.status, found.reason) == ("not_grounded", "nothing explains status")


def test_an_argument_without_an_effect_that_was_seen_is_a_reason_against():
    found = grounded(6, lambda n: get(f"o{n}", "closed"))
    assert found.status == "not_grounded"
    assert found.reason == "argument why changes nothing that the log shows"


def test_a_write_that_changes_nothing_is_not_grounded():
    found = grounded(6, lambda n: get(f"o{n}"))
    assert found.reason == "it changes nothing that the log shows"


def test_a_write_that_every_success_proves_is_grounded():
    found = grounded(8, lambda n: get(f"o{n}", f"w{n % 2}"))
    assert (found.status, found.fidelity) == ("grounded", (8, 8))


def test_fewer_than_eight_held_out_calls_are_insufficient_evidence():
    found = grounded(7, lambda n: get(f"o{n}", f"w{n % 2}"))
    assert (found.status, found.reason) == ("insufficient_evidence", "7 successes in 7 calls")


def test_a_write_that_names_no_row_is_not_grounded():
    traces = [trace(n, ok("ring", f"{n}", bell=f"b{n}")) for n in range(4)]
    found = history(*traces)
    schemas = {"ns.ring": schema_of("ns.ring", [], None)}
    grounder = Grounder(found, {"ns.ring": "write"}, schemas, Surroundings({}, {}, ()))
    assert grounder.ground("ns.ring").status == "not_grounded"
