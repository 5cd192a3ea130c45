"""The page of `envwright doctor`."""

import pytest

from envwright.console.pages.doctor import doctor_page
from envwright.console.terminal import print_page

PYTHON = {"name": "python", "ok": True, "found": "3.13", "needed_for": "everything", "fix": ""}
ENGINE = {"name": "engine", "ok": False, "found": "none", "needed_for": "x", "fix": "install it"}
MODEL = {"name": "model", "ok": None, "found": "off", "needed_for": "y", "fix": ""}


def test_missing_things_come_with_what_brings_them(capsys: pytest.CaptureFixture[str]) -> None:
    print_page(*doctor_page({"findings": [PYTHON, ENGINE, MODEL]}))
    page = capsys.readouterr().out
    for state, name in (("yes", "python"), ("no", "engine"), ("off", "model")):
        assert any(line.split()[:2] == [state, name] for line in page.splitlines())
    assert "what would bring the rest\n  engine  install it" in page


def test_where_nothing_is_missing_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    print_page(*doctor_page({"findings": [PYTHON]}))
    assert "nothing is missing" in capsys.readouterr().out
