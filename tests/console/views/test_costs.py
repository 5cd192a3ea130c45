"""What runs cost, as JSON."""

from envwright.console.views.costs import costs_view
from support.command_line import Finished


def test_the_total_is_the_sum_of_the_stages(finished: Finished) -> None:
    with finished.runtime() as runtime:
        view = costs_view(runtime, finished.run)
        assert costs_view(runtime, "run-none")["total"]["works"] == 0
    for name in ("works", "claims", "input_tokens"):
        assert view["total"][name] == sum(row[name] for row in view["stages"])
    assert [row["stage"] for row in view["stages"]][:3] == ["read and mine", "plan", "build"]
    assert view["total"]["works"] <= view["total"]["claims"]
