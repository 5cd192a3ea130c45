"""The page of projections."""

from envwright.console.pages.projections import projections_page
from envwright.console.terminal import print_page

LIVE = {"name": "runs", "state": "live", "position": 5, "lag": 0, "parked": None}
PARKED = {**LIVE, "name": "costs", "state": "parked", "parked": {"error": "ValueError: no"}}


def test_only_a_parked_one_comes_with_the_way_to_go_on(capsys) -> None:
    print_page(*projections_page({"projections": [LIVE]}))
    assert "--rebuild" not in capsys.readouterr().out
    print_page(*projections_page({"projections": [LIVE, PARKED]}))
    shown = capsys.readouterr().out
    assert "ValueError: no" in shown and "--rebuild NAME" in shown
