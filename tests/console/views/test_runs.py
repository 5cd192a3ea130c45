"""The list of runs, as JSON."""

from envwright.console.views.runs import runs_view
from support.command_line import Finished


def test_a_run_is_listed_with_what_became_of_it(finished: Finished) -> None:
    with finished.runtime() as runtime:
        (run,) = runs_view(runtime)["runs"]
    assert run["run"] == finished.run
    assert (run["recipe"], run["status"]) == ("desk", "completed")
    assert (run["admitted"], run["requested"], run["workers"]) == (2, 2, 0)
    assert run["sources"] == ["subjects.json"]
