"""The page of yields."""

from envwright.console.pages.yields import yields_page
from envwright.console.terminal import print_page

ROUND = {
    "round": 1,
    "slots": 4,
    "planned": 3,
    "inherited": 1,
    "admitted": 2,
    "rejected": {"LEAK": 2},
    "settled": True,
}
GATE = {"verdicts": {"pass": 3, "fail": 2}, "reasons": {"LEAK": 2}}
FOUND = {
    "run": "run-1",
    "slots": 4,
    "admitted": 2,
    "rejected": {"LEAK": 2},
    "rounds": [ROUND],
    "gates": {"no_leak": GATE},
}


def test_rounds_reasons_and_gates_are_drawn(capsys) -> None:
    print_page(*yields_page({"run": None, "yields": [FOUND, {**FOUND, "run": "run-2"}]}))
    shown = capsys.readouterr().out
    assert "2 admitted of 4 slots" in shown and "run-2" in shown
    assert "LEAK 2" in shown and "no_leak" in shown and "█" in shown


def test_where_nothing_was_opened_the_page_says_so(capsys) -> None:
    print_page(*yields_page({"run": "run-1", "yields": []}))
    assert "no round" in capsys.readouterr().out
