"""What a recipe tells of its sources, on a terminal."""

import contextlib
import io
from typing import Any

from envwright.console.pages.mined import mined_part
from envwright.console.terminal import print_page
from support.run_views import run_view


def drawn(view: dict[str, Any], programs: bool = False) -> str:
    """Return the part as a terminal shows it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print_page(*mined_part(view, programs))
    return out.getvalue()


def test_fidelity_files_and_edges_are_told():
    page = drawn(run_view())
    assert "1 created of 2 needed: 50.0 % fewer" in page
    assert "1 data, 1 state, 1 retry" in page
    assert "no rule" in page and "entity types" in page


def test_programs_are_told_where_they_are_asked_for():
    assert "status :=" not in drawn(run_view())
    assert 'status := "off"' in drawn(run_view(), programs=True)


def test_tools_of_one_name_in_two_services_keep_their_service():
    row = run_view()["fidelity"]["tools-1.cancel_order"]
    page = drawn(run_view(fidelity={"a.cancel": row, "b.cancel": row, "b.pay": row}))
    assert "a.cancel" in page and "b.cancel" in page and "b.pay" not in page


def test_nothing_compared_is_no_share():
    row = {**run_view()["fidelity"]["tools-1.cancel_order"], "compared": 0}
    assert "1.00" not in drawn(run_view(fidelity={"a.cancel": row}))


def test_a_recipe_that_tells_nothing_adds_nothing():
    assert drawn({}) == ""


def test_a_profile_of_another_version_says_so():
    assert "mine it again" in drawn({"recipe_report_missing": "mine it again"})
