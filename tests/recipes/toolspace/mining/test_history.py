"""The history gives calls by tool and counts tasks, not repetitions."""

from envwright.recipes.toolspace.mining.history import tasks_of
from support.tool_logs import failed, history, ok, trace


def test_calls_are_found_by_tool():
    found = history(
        trace(1, ok("get", 1, k="a"), failed("put", "no", k="a", v=1)),
        trace(2, ok("get", 2, k="b")),
    )
    assert found.tools == ["ns.get", "ns.put"]
    assert len(found.moments("ns.get")) == 2
    assert found.successes("ns.put") == []
    assert found.argument_names("ns.put") == ["k", "v"]
    assert found.moments("ns.nothing") == []


def test_repeated_trials_of_a_task_count_once():
    found = history(*[trace(task, ok("get", n, k="a")) for n, task in enumerate("aab")])
    assert tasks_of(found.moments("ns.get")) == 2


def test_every_call_has_its_place():
    found = history(trace(1, ok("get", 1), ok("put", 2)))
    assert [(m.trace, m.place, m.call.tool) for m in found.calls()] == [
        (0, 0, "ns.get"),
        (0, 1, "ns.put"),
    ]
