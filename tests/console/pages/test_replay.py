"""The page of a replay."""

import pytest

from envwright.console.pages.replay import replay_page
from envwright.console.terminal import print_page

SAME = {"run": "run-1", "level": "execution", "compared": 12, "diverged": None}


def test_a_replay_without_divergence_says_how_much_was_compared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_page(*replay_page(SAME))
    page = capsys.readouterr().out
    assert "12 gate verdicts" in page and "all the same" in page


def test_a_divergence_is_a_diff(capsys: pytest.CaptureFixture[str]) -> None:
    expected, actual = {"verdict": "pass", "reason": ""}, {"verdict": "fail", "reason": ""}
    diverged = {"event": "ev-1", "expected": expected, "actual": actual}
    print_page(*replay_page({**SAME, "diverged": diverged}))
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert '-  "verdict": "pass"' in lines
    assert '+  "verdict": "fail"' in lines
    assert "at event  ev-1" in lines
