"""The list of packages, as JSON."""

from envwright.console.views.packages import packages_view
from support.command_line import Finished


def test_packages_come_in_the_order_of_their_slots(finished: Finished) -> None:
    with finished.runtime() as runtime:
        view = packages_view(runtime, finished.run)
        assert packages_view(runtime, None)["packages"] == view["packages"]
        assert packages_view(runtime, "run-none")["packages"] == []
    assert [row["ordinal"] for row in view["packages"]] == [1, 2, 3]
