"""Retried tools: what retry edges say of them, and the error that passes."""

from envwright.recipes.toolspace.calls import Call
from envwright.recipes.toolspace.mining.graph import Edge, Graph
from envwright.recipes.toolspace.mining.retried import UNAVAILABLE, mine_retried
from support.tool_logs import failed, history, ok, trace


def edge(tool, kind="retry"):
    return Edge(kind=kind, source=tool, target=tool, support=2, weight=0.0)


def passing(text):
    return Call("ns.pay", {"n": 1}, False, text, transient=True)


def test_the_most_frequent_passing_error_of_a_retried_tool_is_kept():
    log = history(
        trace(1, passing("Error: timeout"), ok("pay", "done", n=1)),
        trace(2, passing("Error: timeout"), ok("pay", "done", n=1)),
        trace(3, passing("Error: 429"), failed("pay", "no such card", n=2)),
    )
    assert mine_retried(log, Graph(edges=(edge("ns.pay"),))) == {"ns.pay": "Error: timeout"}


def test_a_tool_whose_errors_never_passed_by_themselves_gets_the_usual_one():
    log = history(trace(1, failed("pay", "no such card", n=2), ok("pay", "done", n=1)))
    assert mine_retried(log, Graph(edges=(edge("ns.pay"),))) == {"ns.pay": UNAVAILABLE}


def test_only_retry_edges_say_that_a_tool_is_retried():
    log = history(trace(1, passing("Error: timeout"), ok("pay", "done", n=1)))
    assert mine_retried(log, Graph(edges=(edge("ns.pay", "state"),))) == {}
