"""The page of a trial."""

import pytest

from envwright.console.pages.trial import trial_page
from envwright.console.terminal import print_page

TRIAL = {
    "package": "pkg-1",
    "policy": "random",
    "k": 2,
    "n": 2,
    "c": 1,
    "digest": "d" * 64,
    "seed": 7,
    "trial": "trl-1",
    "kept": True,
    "pass_hat": {"1": 0.5, "2": 0.0},
    "attempts": [{"attempt": "att-1", "outcome": "pass"}],
}


@pytest.mark.parametrize("kept", [True, False])
def test_pass_k_is_told_and_attempts_where_they_are_kept(
    kept: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    print_page(*trial_page({**TRIAL, "kept": kept}))
    page = capsys.readouterr().out
    assert "1 of 2" in page and "0.50" in page and "pass^2" in page
    assert ("att-1" in page) is kept
    assert ("not kept" in page) is not kept
