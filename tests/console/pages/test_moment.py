"""The first line of a page of the past."""

import pytest

from envwright.console.pages.moment import moment_part
from envwright.console.terminal import print_page

AT = {"position": 3, "head": 9, "event": "e", "recorded_at": "2024-01-02T10:20:30.123456Z"}


def test_a_page_of_the_past_says_of_when_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    print_page(*moment_part({"at": AT}))
    assert capsys.readouterr().out == "as of position 3 of 9, 2024-01-02 10:20:30\n"


def test_a_page_of_now_says_nothing() -> None:
    assert list(moment_part({})) == []
