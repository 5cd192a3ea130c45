"""The projections, as JSON."""

from envwright.console.views.projections import projections_view
from support.command_line import Finished


def test_each_projection_says_how_far_it_is(finished: Finished) -> None:
    with finished.runtime() as runtime:
        head = runtime.log.head()
        rows = projections_view(runtime)["projections"]
        assert [row["name"] for row in rows] == list(runtime.read_models.names)
    assert all(row["position"] + row["lag"] == head for row in rows)
    assert all((row["state"], row["parked"]) == ("live", None) for row in rows)
