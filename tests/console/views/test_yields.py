"""The yield of runs, as JSON."""

from envwright.console.views.yields import yields_view
from support.command_line import Finished


def test_a_yield_sums_its_rounds(finished: Finished) -> None:
    with finished.runtime() as runtime:
        (found,) = yields_view(runtime, None)["yields"]
        assert yields_view(runtime, "run-none") == {"run": "run-none", "yields": []}
    assert (found["run"], found["slots"]) == (finished.run, 3)
    (only,) = found["rounds"]
    assert only["admitted"] + sum(only["rejected"].values()) == only["slots"] and only["settled"]
    for gate in found["gates"].values():
        assert sum(gate["reasons"].values()) == gate["verdicts"].get("fail", 0)
