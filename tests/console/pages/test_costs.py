"""The page of costs."""

from envwright.console.pages.costs import costs_page
from envwright.console.terminal import print_page

ROW = {
    "stage": "build",
    "works": 2,
    "claims": 3,
    "seconds": 1.5,
    "effect_seconds": 0.5,
    "longest": 1.0,
    "effects": {"model": 4},
    "input_tokens": 120,
    "cached_tokens": 0,
    "output_tokens": 7,
}


def test_stages_and_their_sum_are_drawn(capsys) -> None:
    print_page(*costs_page({"run": None, "stages": [ROW], "total": ROW}))
    shown = capsys.readouterr().out
    assert "build" in shown and "all" in shown and "120" in shown
    assert "cached" not in shown, "a column without a number is left out"


def test_where_nothing_was_done_the_page_says_so(capsys) -> None:
    print_page(*costs_page({"run": None, "stages": [], "total": ROW}))
    assert "nothing was done" in capsys.readouterr().out
