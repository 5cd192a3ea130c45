"""Recordings: what shows that a tool has no state."""

from envwright.recipes.toolspace.calls import Declaration
from envwright.recipes.toolspace.mining.recordings import find_stateless
from support.tool_logs import history, ok, trace


def quote(value="7"):
    return ok("quote", value, weight=3)


def stateless(*traces, declared=None):
    found = history(*traces, declared=declared)
    effects = {tool: "write" if tool == "ns.pay" else "read" for tool in found.tools}
    return find_stateless(found, effects)


PAY = ok("pay", "ok", order="o1")


def test_three_equal_answers_around_a_write_show_a_tool_to_be_stateless():
    found = stateless(trace(1, quote(), PAY, quote()), trace(2, quote()))
    assert found == {"ns.quote": [({"weight": 3}, "7")]}


def test_two_answers_do_not():
    assert stateless(trace(1, quote(), PAY, quote())) == {}


def test_answers_without_a_write_between_them_do_not():
    assert stateless(*(trace(n, quote()) for n in range(5)), trace("w", PAY)) == {}


def test_a_write_to_another_service_shows_nothing():
    other = ok("pay", "ok", order="o1")
    elsewhere = type(other)("far.pay", other.arguments, True, "ok")
    found = history(trace(1, quote(), elsewhere, quote()), trace(2, quote()))
    effects = {"far.pay": "write", "ns.quote": "read"}
    assert find_stateless(found, effects) == {}


def test_one_other_answer_is_a_state():
    assert stateless(trace(1, quote(), PAY, quote()), trace(2, quote("8"))) == {}


def test_a_manifest_may_say_it():
    declared = {"ns.quote": Declaration("quote", "", {}, "stateless")}
    assert "ns.quote" in stateless(trace(1, quote()), declared=declared)
