"""The page of a replay."""

import pytest

from envwright.console.pages.replay import replay_page
from envwright.console.terminal import print_page

SAME = {
    "run": "run-1",
    "level": "execution",
    "compared": 12,
    "counts": {"attempts": 3, "gates": 4},
    "diverged": None,
}
DELIVERY = {
    "cause": "ev-0",
    "cause_type": "brief.planned",
    "role": "builder",
    "group": "g.builder",
    "work": "wrk-1",
}


def test_a_replay_without_divergence_says_how_much_was_compared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_page(*replay_page(SAME))
    page = capsys.readouterr().out
    assert "12 gate verdicts" in page and "all the same" in page
    assert "3 attempts, 4 gates" in page


def test_a_divergence_is_a_diff(capsys: pytest.CaptureFixture[str]) -> None:
    expected, actual = {"verdict": "pass", "reason": ""}, {"verdict": "fail", "reason": ""}
    diverged = {"event": "ev-1", "kind": "difference"}
    diverged |= {"expected": expected, "actual": actual}
    print_page(*replay_page({**SAME, "diverged": diverged}))
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert '-  "verdict": "pass"' in lines
    assert '+  "verdict": "fail"' in lines
    assert "at event  ev-1" in lines


def test_a_delivery_is_named_and_all_divergences_are_drawn(
    capsys: pytest.CaptureFixture[str],
) -> None:
    read = {
        "event": "ev-0",
        "kind": "nondeterminism",
        "expected": "decision code that does not read the clock",
        "actual": "time.time at mine.py:7, in mine.build",
        "delivery": DELIVERY,
    }
    other = {**read, "event": "ev-2", "kind": "difference", "expected": "a", "actual": "b"}
    view = {**SAME, "level": "decision", "diverged": read, "divergences": [read, other]}
    print_page(*replay_page(view))
    page = capsys.readouterr().out
    for part in ("builder", "brief.planned ev-0", "wrk-1", "time.time at mine.py:7", "+b"):
        assert part in page
    assert "divergences  2" in page and "divergence 2" in page
