"""Learning: a write has a program if enough tasks show its row before and after."""

from envwright.recipes.toolspace.induction.arguments import Surroundings
from envwright.recipes.toolspace.induction.learning import known_rows, learn, without_effect
from envwright.recipes.toolspace.induction.procedures import arguments_in
from envwright.recipes.toolspace.induction.roots import UNKNOWN
from envwright.recipes.toolspace.induction.samples import bind_writers, gather
from envwright.recipes.toolspace.mining.entities import find_entities
from envwright.recipes.toolspace.mining.schemas import schema_of
from envwright.recipes.toolspace.mining.tables import mine_tables
from support.samples import sample, table
from support.tool_logs import failed, history, ok, order, trace

SPARE = [trace(f"s{n}", ok("get_order", order(f"s{n}"), order_id=f"s{n}")) for n in range(3)]


def get(key, status="open"):
    return ok("get_order", order(key, status), order_id=key)


def closes(numbers, task=lambda n: n):
    """Traces in which an order is read, closed and read again."""
    return [
        trace(
            task(n),
            get(f"o{n}"),
            ok("close", "ok", order_id=f"o{n}", why=f"w{n % 2}"),
            get(f"o{n}", f"w{n % 2}"),
        )
        for n in numbers
    ]


def lesson(traces, tool="ns.close"):
    found = history(*SPARE, *traces)
    effects = {name: "write" if name == tool else "read" for name in found.tools}
    tables = mine_tables(found, find_entities(found), effects)
    schemas = {
        name: schema_of(name, [m.call for m in found.moments(name)], None) for name in found.tools
    }
    evidence = gather(found, tables, effects, bind_writers(found, tables, effects))
    around = Surroundings(tables, dict.fromkeys(tables, frozenset()), ())
    return learn(found, schemas, around, evidence)[tool]


def test_three_tasks_teach_a_program():
    learnt = lesson(closes(range(3)))
    assert (learnt.program.op, learnt.reason, learnt.scarce) == ("update", "", False)
    assert [one.path for one in learnt.program.set] == [("status",)]


def test_repeated_trials_of_two_tasks_are_too_little():
    learnt = lesson(closes(range(8), task=lambda n: n % 2))
    assert (learnt.program, learnt.scarce) == (None, True)
    assert learnt.reason == "8 successes show the row before and after"


def test_a_tool_whose_rows_were_never_there_before_adds_them():
    traces = [
        trace(n, ok("open_order", order(f"n{n}"), order_id=f"n{n}"), get(f"n{n}")) for n in range(5)
    ]
    assert lesson(traces, "ns.open_order").program.op == "create"


def test_a_row_is_as_the_trace_showed_it_and_unknown_if_nobody_read_it():
    known = known_rows({"orders": table({"o1": order("o1")})})
    one = sample(1, None, None)
    assert known.row_of(one, "orders", "o1") == order("o1")
    assert known.row_of(one, "orders", "o2") is UNKNOWN
    one.known["orders", "o1"] = order("o1", "closed")
    assert known.row_of(one, "orders", "o1") == order("o1", "closed")


def test_an_argument_that_most_calls_give_and_no_program_uses_has_no_effect():
    learnt = lesson(closes(range(5)))
    assert without_effect(learnt.program, learnt.domains, learnt.samples) == ""
    idle = {**learnt.domains, "note": learnt.domains["why"]}
    for one in learnt.samples:
        one.arguments["note"] = "hi"
    assert without_effect(learnt.program, idle, learnt.samples) == "note"


def test_a_refusal_of_an_argument_that_no_success_had_is_left_to_the_world():
    bad = [
        trace(20 + n, get(f"b{n}"), failed("close", "no such field", order_id=f"b{n}", colour="x"))
        for n in range(4)
    ]
    program = lesson([*closes(range(6)), *bad]).program
    assert arguments_in(program) == {"order_id", "why"}
